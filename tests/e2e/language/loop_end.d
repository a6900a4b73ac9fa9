// SPDX-License-Identifier: BSD-2-Clause
// where: both
// Loops of which the verifier cannot tell the last turn, as only global and thread-local variables tell it.
#pragma D option quiet
int i;
self int a, b, n;
this int once;
BEGIN
{
	self->n = 0;
	while (self->n++ < 6)
		self->a += self->n;
	printf("%d %d\n", self->a, self->n);
}
BEGIN
{
	this->once = 1;
	for (i = 0; i < 20; i++) {
		self->a |= i << 8;
		self->b += 3;
	}
	if (this->once)
		self->n |= i;
	printf("%d %d %d\n", self->a, self->b, self->n);
}
BEGIN
{
	for (at[0] = 0; at[0] < 12; at[0]++)
		at[1] += at[0];
	printf("%d %d\n", at[0], at[1]);
	exit(0);
}
