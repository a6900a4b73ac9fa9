/* SPDX-License-Identifier: BSD-2-Clause */
/* A division in a predicate is told from the slash that ends it. */
#pragma D option quiet
BEGIN { x = 12; y = 3; }
BEGIN /x / y == 4/ { printf("first\n"); }
BEGIN / x / y / 2 == 2 / { printf("second\n"); }
BEGIN /x % 5 == 2 && x / 4 > 2/ { printf("third\n"); }
BEGIN /(x / y)/
{
	printf("fourth\n");
	exit(0);
}
