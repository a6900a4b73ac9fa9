/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x printsize=8
// filter: ptr
/* print() of a struct that does not fit shows the members that do, in their order, and then "...". */
struct large { int a; int b; long c; char text[64]; };
BEGIN { this->p = (struct large *)alloca(sizeof (struct large)); this->p->a = 1; this->p->b = 2; print(this->p); exit(0); }
