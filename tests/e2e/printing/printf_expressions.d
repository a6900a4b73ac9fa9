/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of printf are any expressions. */
#pragma D option quiet
BEGIN
{
	x = 3;
	printf("%d %d %s %d\n", x * 2 + 1, (y = x, y + 1), x > 2 ? "big" : "small", x++ + x);
	printf("%d %d\n", x == 4 && y == 3, sizeof(x));
	exit(0);
}
