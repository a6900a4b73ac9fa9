/* SPDX-License-Identifier: BSD-2-Clause */
/* print() of an object of zeros still opens and closes it. */
/* filter: ptr */
#pragma D option quiet
struct s { int a; long b; };
BEGIN
{
	this->p = (struct s *)alloca(sizeof(struct s));
	this->l = (long *)this->p;
	this->l[0] = 0; this->l[1] = 0;
	print(this->p);
	exit(0);
}
