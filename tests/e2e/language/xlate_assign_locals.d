// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A translated value assigned to a variable fills all members.
struct out { int a; long b; };
translator struct out < int I > { a = I + 1; b = I * 10; };
struct out o;
BEGIN { o = xlate <struct out> (4); this->t = xlate <struct out> (7); printf("%d %d %d %d\n", o.a, o.b, this->t.a, this->t.b); exit(0); }
