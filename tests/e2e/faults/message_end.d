/* SPDX-License-Identifier: BSD-2-Clause */
/* A fault in END is reported, and the other clauses of END run. */
/* exit: 3 */
#pragma D option quiet
int zero;
BEGIN { exit(3); }
END { printf("never %d\n", 1 / zero); }
END { printf("end\n"); }
