/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.8
/* Integer operators, precedence, C semantics of / % >> on signed values. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", 7 + 3 * 2, (7 + 3) * 2, 7 - 10, 100 / 7);
	x = -7;
	printf("%d %d %d %d\n", x / 2, x % 2, x >> 1, x * x);
	u = 0xf0u;
	printf("%d %x %x %x\n", u >> 4, u | 0xf, u ^ 0xff, u & 0x3c);
	printf("%d %d %d\n", 1 << 10, ~0, !5);
	printf("%d %d %d %d\n", 3 < 4, 4 <= 3, 3 == 3, 3 != 3);
	printf("%d %d %d %d\n", 1 && 0, 1 || 0, 1 ^^ 1, x && !x);
	y = x > 0 ? 10 : 20;
	printf("%d\n", y);
	y += 5; y -= 1; y *= 2; y /= 3; y %= 10; y <<= 3; y |= 1; y ^= 3; y &= 0xff; y >>= 1;
	printf("%d\n", y);
	printf("%d %d %d\n", y++, ++y, y--);
	exit(0);
}
