/* SPDX-License-Identifier: BSD-2-Clause */
/* Small types are not promoted to int: the sum of two chars is a char. */
#pragma D option quiet
char c; unsigned char uc; short s;
BEGIN
{
	c = 100; uc = 200; s = 30000;
	printf("%d %d %d\n", c + c, uc + uc, s + s);
	printf("%d %d\n", c + 100, s + 30000);
	x = c + c;
	printf("%d %d\n", sizeof(x), x);
	exit(0);
}
