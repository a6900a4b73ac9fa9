/* SPDX-License-Identifier: BSD-2-Clause */
/* Members and elements of variables can be read through their address. */
#pragma D option quiet
struct s { int a; int b[3]; unsigned f:3; char n[8]; }; struct s g; self struct s t; struct s m[int]; this struct s l;
BEGIN { g.b[1] = 4; self->t.a = 5; m[1].n[0] = 'k'; this->l.b[2] = 6;
 this->p = &g.b[0]; printf("%d %d\n", *(this->p + 1), this->p[1]); this->q = &self->t.a; printf("%d\n", *this->q);
 printf("%s %d %d\n", stringof(&m[1].n[0]), *&this->l.b[2], *&m[2].a); this->i = 2; printf("%d\n", *&this->l.b[this->i]);
 printf("%d\n", &g.b[2] - &g.b[0]); this->s = stringof(&m[1].n[0]); printf("%s\n", this->s); exit(0); }
