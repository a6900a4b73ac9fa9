// SPDX-License-Identifier: BSD-2-Clause
// A bit-field that an int can hold is an int in arithmetic and comparisons, as in C.
#pragma D option quiet
struct b { unsigned a:3; unsigned w:32; unsigned long l:40; unsigned long s:20; signed d:4; } g;
BEGIN
{
	g.a = 1; g.w = 1; g.l = 1; g.s = 1; g.d = -2;
	printf("%d %d %d %d\n", g.a - 2 < 0, g.w - 2 < 0, g.l - 2 < 0, g.s - 2 < 0);
	printf("%d %d %d %d\n", g.a - 2, -g.a, ~g.a, (g.a ? g.a : g.s) - 3);
	printf("%d %d %d\n", g.a > g.d, g.a > -1, (g.a - 5) / 2);
	printf("%d %d\n", sizeof(g.a + g.a), sizeof(g.l + g.l));
	g.a /= g.d;
	x = 9; x /= -(g.s + 2);
	printf("%d %d\n", g.a, x);
	exit(0);
}
