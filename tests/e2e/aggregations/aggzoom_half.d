// SPDX-License-Identifier: BSD-2-Clause
// A bar of 28 and a half columns (9 / 12 of 38) is rounded up.
#pragma D option quiet
#pragma D option aggzoom
BEGIN
{
	@ = lquantize(0, 0, 3, 1, 12);
	@ = lquantize(1, 0, 3, 1, 9);
	@ = lquantize(2, 0, 3, 1, 3);
	exit(0);
}
