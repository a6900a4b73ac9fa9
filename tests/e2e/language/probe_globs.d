// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Globs in any field: *, ?, sets and complements.
B*N { printf("1"); } dtrac?:::BEGIN { printf("2"); } dtrace:::[A-C]EGIN { printf("3"); } ::[!E]EGIN { printf("4\n"); exit(0); }
