// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A division in a predicate is told from its end.
BEGIN / 10 / 5 == 2 / { printf("x\n"); exit(0); }
