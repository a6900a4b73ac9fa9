/* SPDX-License-Identifier: BSD-2-Clause */
/* Bit-fields of every width, neighbours untouched. */
#pragma D option quiet
struct b { unsigned long a:1, b:62, c:1; long d:64; unsigned char e:8; short f:9; }; struct b b; struct b m[int];
BEGIN { b.b = -1; b.a = 0; b.c = 0; printf("%d %x %d\n", b.a, b.b, b.c); b.d = -5; b.e = 0x1ff; b.f = 0x1ff; printf("%d %d %d\n", b.d, b.e, b.f); b.a = b.c = 1; b.b = 0; printf("%d %d %d %d\n", b.a, b.b, b.c, b.f);
 m[1].f -= 3; m[1].e |= 0x80; m[1].b <<= 2; printf("%d %d %d\n", m[1].f, m[1].e, m[1].b); printf("%d\n", m[1].f++ + m[1].f); printf("%d\n", (b.f = 256)); exit(0); }
