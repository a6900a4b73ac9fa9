/* SPDX-License-Identifier: BSD-2-Clause */
/* Prefix gives the new value, postfix the old one. */
#pragma D option quiet
char c;
BEGIN
{
	n = 5;
	printf("%d ", n++); printf("%d ", n); printf("%d ", ++n); printf("%d ", n--); printf("%d ", --n);
	printf("%d\n", n);
	c = 127;
	c++;
	printf("%d\n", c);
	self->t++; self->t++;
	this->l = 3; this->l--;
	a["k"] = 1; a["k"]++;
	printf("%d %d %d\n", self->t, this->l, a["k"]++ + 10);
	printf("%d\n", a["k"]);
	exit(0);
}
