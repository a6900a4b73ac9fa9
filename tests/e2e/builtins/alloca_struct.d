/* SPDX-License-Identifier: BSD-2-Clause */
/* A structure in scratch memory. */
#pragma D option quiet
struct s { char c; int i; long l; };
BEGIN
{
	this->s = (struct s *)alloca(2 * sizeof(struct s));
	this->s->c = 'x'; this->s->i = 300; this->s->l = 1LL << 40;
	this->s[1].i = 5;
	(this->s + 1)->l = 6;
	printf("%c %d %d %d %d\n", this->s->c, this->s->i, this->s->l, this->s[1].i, this->s[1].l);
	g = *this->s;
	printf("%d\n", g.i);
	exit(0);
}
