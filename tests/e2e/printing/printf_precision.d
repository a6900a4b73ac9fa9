/* SPDX-License-Identifier: BSD-2-Clause */
/* Precision of integers gives the digits; 0 is as if there were none. */
#pragma D option quiet
BEGIN
{
	printf("[%.4d][%.4x][%8.4d][%-8.4d]\n", 42, 255, 42, 42);
	printf("[%.0d][%.0x][%.1d]\n", 0, 0, 0);
	printf("[%.4d][%+.3d]\n", -42, 7);
	printf("[%.2d]\n", 12345);
	exit(0);
}
