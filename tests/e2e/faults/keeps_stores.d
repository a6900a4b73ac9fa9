/* SPDX-License-Identifier: BSD-2-Clause */
/* What a clause stored before its fault stays; what it recorded is dropped. */
#pragma D option quiet
int zero;
BEGIN
{
	x = 1; self->t = 2; a["k"] = 3; this->l = 4; @c = sum(5);
	printf("never\n");
	trace(x);
	x = 10 / zero;
	self->t = 20;
}
BEGIN { printf("%d %d %d %d\n", x, self->t, a["k"], this->l); printa("%@d\n", @c); exit(0); }
