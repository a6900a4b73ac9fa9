/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.2.10
/* Every compound assignment. */
#pragma D option quiet
BEGIN
{
	x = 100LL;
	x += 7; printf("%d ", x);
	x -= 10; printf("%d ", x);
	x *= 3; printf("%d ", x);
	x /= 4; printf("%d ", x);
	x %= 50; printf("%d ", x);
	x <<= 4; printf("%d ", x);
	x |= 3; printf("%d ", x);
	x ^= 0xff; printf("%d ", x);
	x &= 0xfc; printf("%d ", x);
	x >>= 2; printf("%d\n", x);
	exit(0);
}
