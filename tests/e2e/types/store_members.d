/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores to members and elements of variables of every kind, absent ones too. */
#pragma D option quiet
struct in { int a; short b[3]; char name[8]; };
struct big { int v[64]; struct in i; };
struct s { struct in x; struct in y; unsigned f:5; unsigned g:11; int h:3; long l; };
struct s g; struct s g2;
self struct s t;
this struct s c;
struct s m[int];
struct big bm[string, int];
struct big bg;
self struct big bs;
int arr[5];
int m2[3][4];
string names[3];
self int sa[4];
struct in ia[4];
BEGIN
{
	g.x.a = 5; g.y.b[1] = -7; g.f = 33; g.g = 2047; g.h = 7; g.l = 1 << 40;
	printf("%d %d %d %d %d %d\n", g.x.a, g.y.b[1], g.f, g.g, g.h, g.l);
	this->i = 2; g.x.b[this->i] = 9; g.x.b[0] += 4;
	g2 = g;
	printf("%d %d %d %d\n", g2.x.b[2], g2.x.b[0], g2.y.b[1], g2.g);
	self->t = g2; self->t.x.a++;
	printf("%d %d %d\n", self->t.x.a, self->t.h, self->t.g);
	this->c = self->t; this->c.g--; this->c.h = -2;
	printf("%d %d %d %d\n", this->c.g, this->c.h, this->c.f, ++this->c.f);
	m[3] = this->c; m[4].y = m[3].x; m[4].g |= 6; m[4].y.b[this->i]--;
	printf("%d %d %d %d %d\n", m[4].y.a, m[4].g, m[4].f, m[4].y.b[2], m[3].l);
	bm["a", 1].v[this->i + 60] = 77; bm["a", 1].i = g.x;
	printf("%d %d %d\n", bm["a", 1].v[62], bm["a", 1].i.a, bm["b", 1].v[3]);
	bg = bm["a", 1]; bm["c", 2] = bg; self->bs = bm["c", 2];
	printf("%d %d %d\n", bg.v[62], bm["c", 2].v[62], self->bs.v[62]);
	arr[this->i] = 12; arr[this->i + 1] = arr[this->i]++ * 2;
	printf("%d %d\n", arr[2], arr[3]);
	m2[this->i][3] = 5; m2[1][this->i] += 3;
	printf("%d %d %d\n", m2[2][3], m2[1][2], m2[1][3]);
	self->sa[this->i] = 4; self->sa[3] = self->sa[this->i] << 2;
	printf("%d %d\n", self->sa[2], self->sa[3]);
	ia[this->i].b[this->i] = 3; ia[1] = ia[2];
	printf("%d %d\n", ia[1].b[2], ia[0].b[2]);
	names[1] = "x"; names[this->i] = strjoin(names[1], "y");
	printf("[%s] [%s] [%s]\n", names[0], names[1], names[2]);
	printf("%d\n", (g = g2).x.a);
	exit(0);
}
