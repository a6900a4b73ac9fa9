/* SPDX-License-Identifier: BSD-2-Clause */
/* Division and remainder truncate toward zero; the remainder has the dividend's sign. */
#pragma D option quiet
BEGIN
{
	n = -7; p = 7; d = 2;
	printf("%d %d %d %d\n", n / d, p / -d, n / -d, p / d);
	printf("%d %d %d %d\n", n % d, p % -d, n % -d, p % d);
	printf("%d %d\n", -7 / 2, -7 % 2);
	exit(0);
}
