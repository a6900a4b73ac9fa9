// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// One name in four spaces is four things.
BEGIN { x = 1; self->x = 2; this->x = 3; @x = sum(4); printf("%d %d %d ", x, self->x, this->x); printa("%@d\n", @x); exit(0); }
