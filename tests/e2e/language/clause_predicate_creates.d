/* SPDX-License-Identifier: BSD-2-Clause */
/* A variable may first appear in the predicate, or in the body before its predicate. */
#pragma D option quiet
BEGIN /x++ == 0/ { printf("%d\n", x); }
BEGIN /y == 0/ { printf("%d\n", y++); }
BEGIN { printf("%d %d\n", x, y); exit(0); }
