/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole structure is copied by value. */
#pragma D option quiet
struct p { int x; char pad; long y; };
struct p a;
struct p b;
self struct p t;
BEGIN
{
	a.x = 1; a.y = 2;
	b = a;
	a.x = 10;
	printf("%d %d %d\n", a.x, b.x, b.y);
	self->t = b;
	b.y = 20;
	printf("%d %d %d\n", self->t.x, self->t.y, b.y);
	c = a;
	printf("%d %d\n", c.x, c.y);
	exit(0);
}
