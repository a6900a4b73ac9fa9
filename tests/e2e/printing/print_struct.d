/* SPDX-License-Identifier: BSD-2-Clause */
/* print(): address, type and the members that are not zero. */
/* filter: ptr */
#pragma D option quiet
struct s { int a; char c; unsigned long u; short zero; int neg; };
BEGIN
{
	this->p = (struct s *)alloca(sizeof(struct s));
	this->p->a = 1; this->p->c = 'x'; this->p->u = 0xffffffffffffffff; this->p->zero = 0; this->p->neg = -5;
	print(this->p);
	exit(0);
}
