/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands from left to right: the place of an assignment and what was in it come before the value. */
#pragma D option quiet
struct s { int m; int b:6; int v[3]; };
struct s g;
self struct s t;
struct s h[int];
int a[6], n;
BEGIN
{
	n = 0; a[n++] = n;
	a[n] = n++;
	a[n] = a[n - 2] += n = 4;
	printf("%d %d %d %d %d %d, %d\n", a[0], a[1], a[2], a[3], a[4], a[5], n);
	g.m = 100; g.m -= (g.m >>= 1);
	self->t.b = 5; self->t.b += self->t.b++;
	h[n].m = 3; h[n].m *= h[n++].m + n;
	printf("%d %d %d %d\n", g.m, self->t.b, h[4].m, h[5].m);
	this->p = (int *)alloca(16);
	this->q = this->p;
	*this->q++ = 7; *this->q++ = *this->p + 1; *this->q = *(this->q - 1) + 1;
	this->q[0] += (*this->q = 20);
	printf("%d %d %d\n", this->p[0], this->p[1], this->p[2]);
	n = 0; g.v[n++] = g.v[n++] = n;
	printf("%d %d %d\n", g.v[0], g.v[1], g.v[2]);
	exit(0);
}
