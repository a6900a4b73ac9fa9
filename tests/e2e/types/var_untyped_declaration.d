/* SPDX-License-Identifier: BSD-2-Clause */
/* A declaration without a type specifier makes an int. */
#pragma D option quiet
this l;
self t;
BEGIN
{
	this->l = 0x100000005;
	self->t = 0x200000006;
	printf("%d %d %d %d\n", sizeof(this->l), this->l, sizeof(self->t), self->t);
	exit(0);
}
