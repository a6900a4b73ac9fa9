// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// The same declaration twice is one.
int x; int x; self int y; self int y; int a[int]; int a[int];
BEGIN { x = 1; self->y = 2; a[1] = 3; printf("%d%d%d\n", x, self->y, a[1]); exit(0); }
