/* SPDX-License-Identifier: BSD-2-Clause */
// row: drop.error
/* A fault inside ERROR is only counted. */
#pragma D option quiet
int zero;
BEGIN { x = 1 / zero; }
ERROR { printf("never\n"); y = 2 / zero; }
BEGIN { printf("next\n"); exit(0); }
