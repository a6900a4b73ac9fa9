// SPDX-License-Identifier: BSD-2-Clause
// row: lang.2.1
// run: -q
// A division in a predicate is told from its end.
BEGIN / 10 / 5 == 2 / { printf("x\n"); exit(0); }
