/* SPDX-License-Identifier: BSD-2-Clause */
/* exit() does not stop its own clause, but all later clauses. */
/* exit: 5 */
#pragma D option quiet
BEGIN { printf("a "); exit(5); printf("b\n"); }
BEGIN { printf("never\n"); }
tick-1ms { printf("never\n"); }
END { printf("end\n"); }
