/* SPDX-License-Identifier: BSD-2-Clause */
/* nspec gives more than one. */
#pragma D option quiet
#pragma D option nspec=3
BEGIN { a = speculation(); b = speculation(); c = speculation(); }
BEGIN { printf("%d %d\n", a && b && c, a != b && b != c && a != c); }
BEGIN { speculate(a); printf("in a\n"); }
BEGIN { speculate(b); printf("in b\n"); }
BEGIN { speculate(c); printf("in c\n"); }
BEGIN { discard(b); }
BEGIN { commit(c); }
BEGIN { commit(a); }
BEGIN { exit(0); }
