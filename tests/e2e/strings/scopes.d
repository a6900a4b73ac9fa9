/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings as global, thread-local, clause-local and associative values. */
#pragma D option quiet
BEGIN { g = "one"; self->t = "two"; this->l = "three"; a[1] = "four"; b["k", 2] = "five"; }
BEGIN
{
	printf("%s %s %s %s %s\n", g, self->t, this->l, a[1], b["k", 2]);
	g = self->t;
	self->t = b["k", 2];
	a[2] = g;
	printf("%s %s %s [%d]\n", g, self->t, a[2], a[3] == NULL);
	exit(0);
}
