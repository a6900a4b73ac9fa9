/* SPDX-License-Identifier: BSD-2-Clause */
/* A store outside a declared array is a fault and stores nothing. */
#pragma D option quiet
int v[4];
int w;
BEGIN { i = -1; w = 7; }
BEGIN { v[i] = 5; printf("never\n"); }
ERROR { printf("error\n"); }
BEGIN { printf("%d %d\n", v[0], w); exit(0); }
