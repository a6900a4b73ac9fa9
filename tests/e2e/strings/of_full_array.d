/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of a char array ends with the array when it has no NUL. */
#pragma D option quiet
struct s { char n[4]; char after; };
struct s g;
self struct s t;
BEGIN
{
	g.n[0] = 'a'; g.n[1] = 'b'; g.n[2] = 'c'; g.n[3] = 'd'; g.after = 'X';
	self->t = g;
	this->u = g;
	printf("%s %s %s %S\n", g.n, stringof(self->t.n), (string)this->u.n, g.n);
	printf("%d %d %s %s\n", strlen(g.n), g.n == "abcd", strjoin(g.n, "e"), substr(self->t.n, 2));
	a[g.n] = 1; @[self->t.n] = count();
	this->s = this->u.n;
	trace(g.n == this->s);
	printf(" %s %d\n", this->s, a["abcd"]);
	printa("%s %@d\n", @);
	exit(0);
}
