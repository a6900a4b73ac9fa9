// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Assignments nest from the right and have the left type.
char c; int i;
BEGIN { i = c = 300; printf("%d %d\n", i, c); a = b = 7; printf("%d %d\n", a, b); exit(0); }
