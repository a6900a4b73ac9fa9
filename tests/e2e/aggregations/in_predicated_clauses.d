/* SPDX-License-Identifier: BSD-2-Clause */
/* Several clauses feed one aggregation, each with its predicate. */
#pragma D option quiet
int i;
tick-1ms /i % 3 == 0/ { @["third"] = count(); }
tick-1ms /i % 2 == 0/ { @["second"] = count(); @sums["second"] = sum(i); }
tick-1ms { i++; }
tick-1ms /i == 12/ { exit(0); }
