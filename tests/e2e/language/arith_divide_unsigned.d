/* SPDX-License-Identifier: BSD-2-Clause */
/* Unsigned operands of 64 bits divide, compare and shift without a sign. */
#pragma D option quiet
uint64_t u;
BEGIN
{
	u = -7;
	printf("%d %d\n", u / 2, u % 10);
	printf("%d %d\n", u > 1, u >> 60);
	printf("%x %u\n", u, u);
	exit(0);
}
