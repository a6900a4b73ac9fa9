/* SPDX-License-Identifier: BSD-2-Clause */
/* print() of nested structures, enumerators and typedefs. */
/* filter: ptr */
#pragma D option quiet
typedef int num_t;
enum e { ZERO, ONE };
struct in { num_t n; enum e e; };
struct out { struct in one; struct in two; long l; };
BEGIN
{
	this->p = (struct out *)alloca(sizeof(struct out));
	this->p->one.n = 7; this->p->one.e = ONE;
	this->p->two.n = 0; this->p->two.e = ZERO;
	this->p->l = 9;
	print(this->p);
	exit(0);
}
