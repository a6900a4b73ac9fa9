/* SPDX-License-Identifier: BSD-2-Clause */
/* Each fault runs all clauses of ERROR, with their predicates. */
#pragma D option quiet
int zero; int n;
BEGIN { x = 1 / zero; }
BEGIN { x = 1 % zero; }
ERROR { n++; }
ERROR /n == 2/ { printf("second\n"); }
ERROR { printf("error %d\n", n); }
BEGIN { printf("done\n"); exit(0); }
