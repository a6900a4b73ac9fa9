/* SPDX-License-Identifier: BSD-2-Clause */
/* exit() in ERROR ends the run. */
/* exit: 9 */
#pragma D option quiet
int zero;
BEGIN { x = 1 / zero; }
ERROR { printf("bad\n"); exit(9); }
tick-1s { printf("never\n"); exit(1); }
END { printf("end\n"); }
