/* SPDX-License-Identifier: BSD-2-Clause */
/* Twenty conversions in one format. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361);
	exit(0);
}
