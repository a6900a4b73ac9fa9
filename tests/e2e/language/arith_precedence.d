/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.4.1
/* Precedence of the operators where neighbouring levels would differ. */
#pragma D option quiet
BEGIN
{
	a = 6; b = 3; one = 1; zero = 0;
	printf("%d %d %d\n", a & b == 3, one | 2 ^ b & 2, 2 + b << 1);
	printf("%d %d %d\n", one < 2 == one, !zero + 1, ~one & 7);
	printf("%d %d %d\n", one ^^ one || one, zero ^^ one && zero, one || one ^^ one);
	printf("%d %d\n", one || zero && zero, a - b * 2 % 4);
	printf("%d %d\n", (char)300 + 1, -a + 10);
	exit(0);
}
