/* SPDX-License-Identifier: BSD-2-Clause */
/* A fault inside ERROR is only counted. */
#pragma D option quiet
int zero;
BEGIN { x = 1 / zero; }
ERROR { printf("never\n"); y = 2 / zero; }
BEGIN { printf("next\n"); exit(0); }
