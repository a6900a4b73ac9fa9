// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A declaration without a type makes an int.
self a; this b;
BEGIN { self->a = 0x1ffffffff; this->b = 0x1ffffffff; printf("%d %d %d\n", sizeof (self->a), self->a, this->b); exit(0); }
