/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* A factor of 0 is told and changes nothing. */
BEGIN
{
	zero = 0;
	@a = sum(30);
	normalize(@a, 10);
	normalize(@a, zero);
	exit(0);
}
