/* SPDX-License-Identifier: BSD-2-Clause */
/* A run-time index outside a declared array is a fault; the other clauses go on. */
#pragma D option quiet
int v[4];
BEGIN { i = 4; v[0] = 5; }
BEGIN { printf("never\n"); x = v[i]; }
BEGIN { i = 3; v[i] = 9; printf("%d %d\n", v[3], x); exit(0); }
