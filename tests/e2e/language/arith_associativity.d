/* SPDX-License-Identifier: BSD-2-Clause */
/* Binary operators group to the left, assignments and conditions to the right. */
#pragma D option quiet
BEGIN
{
	ten = 10; hundred = 100; t = 1; f = 0;
	printf("%d %d %d\n", ten - 4 - 3, hundred / ten / 5, hundred % 7 * 3);
	printf("%d %d\n", t << 2 << 3, 256 >> t >> t);
	a = b = c = 5;
	a += b -= 2;
	printf("%d %d %d\n", a, b, c);
	printf("%d %d\n", t ? 2 : f ? 3 : 4, f ? 1 : f ? 2 : 3);
	printf("%d\n", 3 > 2 > t);
	exit(0);
}
