// SPDX-License-Identifier: BSD-2-Clause
// Memory of alloca() and copyin() lives as long as the firing: later clauses read what earlier ones took, also behind an error,
// and each clause may take as much as scratchsize allows.
// truth: alloca(), copyin() | what one clause stored is read by later clauses of the firing, while others take memory | the values stored
#pragma D option quiet
BEGIN { this->p = (int *)alloca(8); this->p[0] = 7; this->p[1] = 8; }
BEGIN { this->q = (int *)alloca(200); this->q[0] = 1; this->q[49] = 3; }
BEGIN { printf("%d %d %d %d\n", this->p[0], this->p[1], this->q[0], this->q[49]); }
BEGIN { g = (int *)alloca(200); g[0] = 9; s = (char *)alloca(9); s[0] = 'a'; s[1] = 'b'; s[2] = 0; }
BEGIN /this->p[1] == 8/ { printf("%d %s %d\n", g[0], stringof(s), this->p[0]); }
BEGIN { trace(*(int *)0); }
ERROR { this->z = (int *)alloca(250); this->z[0] = 1; this->z[60] = 5; }
BEGIN { printf("%d %d %d\n", this->p[0], this->p[1], g[0]); }
BEGIN { x = (int *)alloca(8); trace(x[64]); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
