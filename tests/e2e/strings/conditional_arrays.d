/* SPDX-License-Identifier: BSD-2-Clause */
/* A choice between two char arrays is text, whatever their sizes. */
#pragma D option quiet
struct s { char a[4]; char b[8]; };
struct s g;
BEGIN
{
	g.a[0] = 'x'; g.b[0] = 'y'; g.b[1] = 'z';
	n = 1;
	this->x = n ? g.a : g.b;
	printf("%s %s %d\n", this->x, n > 1 ? g.a : g.b, strlen(n ? curthread->comm : g.b));
	@[n ? g.b : g.a] = count();
	printa("%s %@d\n", @);
	exit(0);
}
