/* SPDX-License-Identifier: BSD-2-Clause */
/* The comma evaluates left to right and has the value of its right side. */
#pragma D option quiet
BEGIN
{
	x = (a = 2, b = a * 3, b + 1);
	printf("%d %d %d\n", a, b, x);
	printf("%d\n", (x++, x));
	c = 1, d = 2;
	printf("%d %d\n", c, d);
	exit(0);
}
