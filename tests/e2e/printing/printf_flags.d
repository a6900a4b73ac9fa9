/* SPDX-License-Identifier: BSD-2-Clause */
/* The flags - 0 + blank and # of integer conversions. */
#pragma D option quiet
BEGIN
{
	printf("[%6d][%-6d][%06d][%+d][% d]\n", 42, 42, 42, 42, 42);
	printf("[%6d][%-6d][%06d][%+d][% d]\n", -42, -42, -42, -42, -42);
	printf("[%+6d][%-+6d][% 06d][%+06d]\n", 42, 42, 42, 42);
	printf("[%#x][%#X][%#o][%#8x][%#08x][%-#8x]\n", 255, 255, 8, 255, 255, 255);
	printf("[%#x][%#o]\n", 0, 0);
	exit(0);
}
