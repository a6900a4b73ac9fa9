/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing with NULL tells whether a thread-local or associative string exists. */
#pragma D option quiet
self string t;
string a[int];
BEGIN
{
	printf("%d %d\n", self->t == NULL, a[1] == NULL);
	self->t = "x";
	a[1] = "y";
	printf("%d %d\n", self->t != NULL, a[1] != NULL);
	self->t = 0;
	a[1] = 0;
	printf("%d %d\n", self->t == NULL, a[1] == NULL);
	exit(0);
}
