/* SPDX-License-Identifier: BSD-2-Clause */
/* The second argument is a pointer, not a number. */
BEGIN
{
	trace(link_ntop(1, 99));
	exit(0);
}
