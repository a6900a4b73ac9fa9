/* SPDX-License-Identifier: BSD-2-Clause */
/* A fault ends its clause, ERROR runs, the other clauses go on. */
#pragma D option quiet
BEGIN { zero = 0; }
BEGIN { printf("before\n"); x = 1 / zero; printf("never\n"); }
BEGIN { printf("next clause\n"); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
