/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.2.5
/* One u and up to two l, in either case and order of the letters u first. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d %d %d\n", 5u, 5U, 5l, 5L, 5ll, 5LL);
	printf("%d %d %d %d\n", 5ul, 5UL, 5ull, 0x5ULL);
	printf("%d\n", -5 / 2ll);
	exit(0);
}
