/* SPDX-License-Identifier: BSD-2-Clause */
/* A decimal literal is the first of int, long that holds it; suffixes start further on. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d\n", sizeof(1), sizeof(2147483647), sizeof(2147483648));
	printf("%d %d %d %d\n", sizeof(1u), sizeof(1l), sizeof(1ul), sizeof(1LL));
	printf("%d %d\n", sizeof(4294967295u), sizeof(4294967296u));
	printf("%d %d\n", 2147483648, 4294967295U);
	exit(0);
}
