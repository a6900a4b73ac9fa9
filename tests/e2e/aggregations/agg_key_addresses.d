// SPDX-License-Identifier: BSD-2-Clause
// run: -q
/* Addresses as keys are shown as such, in the column of integers. */
BEGIN
{
	@a[(void *)0xffff888012345678, 1] = count();
	@a[(void *)16, 2] = count();
	@b[(int *)0x7ffe12345678, "x"] = sum(3);
	@c[0xffff888012345678] = count();
	exit(0);
}
