/* SPDX-License-Identifier: BSD-2-Clause */
/* The second argument is a pointer, not a number. */
BEGIN
{
	trace(inet_ntop(2, 99));
	exit(0);
}
