/* SPDX-License-Identifier: BSD-2-Clause */
/* An assignment is an expression with the assigned value. */
#pragma D option quiet
BEGIN
{
	a = (b = 3) + 4;
	printf("%d %d %d\n", a, b, (a += 5));
	printf("%d\n", (c = 7) == 7);
	printf("%d\n", (d = 1) ? (d = 9) : 0);
	printf("%d\n", d);
	exit(0);
}
