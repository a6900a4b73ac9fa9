/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.6
/* Clauses of one probe run in text order, also when several descriptions match. */
#pragma D option quiet
BEGIN { printf("1 "); }
dtrace:::BEG* { printf("2 "); }
BEGIN, END { printf("3 "); }
:::BEGIN { printf("4 "); }
BEGIN { printf("5\n"); exit(0); }
END { printf("6\n"); }
