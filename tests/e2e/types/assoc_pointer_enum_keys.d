/* SPDX-License-Identifier: BSD-2-Clause */
/* Pointers and enumerators as keys. */
#pragma D option quiet
enum colour { RED, GREEN = 7 };
BEGIN
{
	a[(int *)0x1000] = 1;
	a[(int *)0x2000] = 2;
	b[GREEN] = 3;
	printf("%d %d %d\n", a[(int *)0x1000], a[(int *)0x2000], a[(int *)0x3000]);
	printf("%d %d\n", b[GREEN], b[RED]);
	exit(0);
}
