/* SPDX-License-Identifier: BSD-2-Clause */
/* A number is not the address of a lock. */
BEGIN
{
	trace(rw_iswriter(99));
	exit(0);
}
