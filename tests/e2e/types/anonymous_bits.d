// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// An anonymous bit-field pads, one of width zero begins a new unit.
struct b { unsigned a:4; unsigned :4; unsigned c:8; };
struct b v;
BEGIN { v.a = 5; v.c = 200; printf("%d %d %d\n", v.a, v.c, sizeof (struct b)); exit(0); }
