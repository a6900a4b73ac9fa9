/* SPDX-License-Identifier: BSD-2-Clause */
/* What is 0 because the probe does not have it divides as any other 0 does: a fault. */
#pragma D option quiet
int n;
BEGIN { trace(10 / stackdepth); }
BEGIN { trace(10 % errno); }
BEGIN { x = 7; x /= caller; trace(x); }
ERROR { n++; x = arg4; }
BEGIN { printf("%d %d\n", n, x); exit(0); }
