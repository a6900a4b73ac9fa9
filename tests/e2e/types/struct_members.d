/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of a structure variable: store, load, narrow, compound. */
#pragma D option quiet
struct s { char c; int i; unsigned short us; long l; char name[8]; };
struct s g;
this struct s t;
BEGIN
{
	g.c = 200; g.i = -5; g.us = 70000; g.l = 1LL << 33;
	g.name[0] = 'o'; g.name[1] = 'k';
	printf("%d %d %d %d %s\n", g.c, g.i, g.us, g.l, g.name);
	g.i += 10; g.us++;
	this->t.i = g.i * 2;
	printf("%d %d %d\n", g.i, g.us, this->t.i);
	exit(0);
}
