// SPDX-License-Identifier: BSD-2-Clause
// return leaves the clause: what was recorded before is printed, other clauses run.
#pragma D option quiet
BEGIN { printf("a"); if (pid == $pid) { printf("b"); return; } printf("c"); }
BEGIN { printf("d\n"); exit(0); }
