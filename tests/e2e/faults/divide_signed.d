/* SPDX-License-Identifier: BSD-2-Clause */
/* A zero divisor known at run time is a fault, for / and % and their assignments. */
#pragma D option quiet
int n;
BEGIN { zero = 0; x = 5; }
BEGIN { y = x / zero; printf("never\n"); }
BEGIN { y = x % zero; printf("never\n"); }
BEGIN { x /= zero; printf("never\n"); }
BEGIN { x %= zero; printf("never\n"); }
ERROR { n++; }
BEGIN { printf("%d %d\n", x, n); exit(0); }
