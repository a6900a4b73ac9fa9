// SPDX-License-Identifier: BSD-2-Clause
// An array of char is traced as a string.
// needs: btf
#pragma D option quiet
struct s { char c[4]; int n[2]; } g;
BEGIN { g.c[0] = 'a'; g.c[1] = 'b'; trace(g.c); trace(curthread->comm); p = curthread; trace(p->comm); trace(g.n); exit(0); }
