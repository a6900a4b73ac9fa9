/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of a union share their bytes. */
#pragma D option quiet
union u { int i; char c[4]; struct { short lo; short hi; } h; unsigned b:4; }; union u x; self union u y;
BEGIN { x.i = 0x41424344; printf("%c %x %x %d\n", x.c[0], x.h.lo, x.h.hi, x.b); x.h.hi = 1; printf("%x\n", x.i); self->y = x; self->y.b = 0; printf("%x %x\n", self->y.i, x.i); exit(0); }
