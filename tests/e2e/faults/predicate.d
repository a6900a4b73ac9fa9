/* SPDX-License-Identifier: BSD-2-Clause */
/* A fault in a predicate: the body is not run, the clauses after it are. */
#pragma D option quiet
int zero;
BEGIN { printf("first\n"); }
BEGIN /10 / zero > 1/ { printf("never\n"); }
BEGIN { printf("last\n"); exit(0); }
