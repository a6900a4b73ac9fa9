/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.8.1
/* The operand of higher rank gives the type: width in bits, plus one if unsigned. */
#pragma D option quiet
char c; unsigned char uc; short s; unsigned short us; int i; unsigned int u; long l; unsigned long ul;
BEGIN
{
	printf("%d %d %d %d\n", sizeof(c + c), sizeof(c + uc), sizeof(c + s), sizeof(us + s));
	printf("%d %d %d %d\n", sizeof(s * i), sizeof(i + u), sizeof(l + u), sizeof(ul - c));
	printf("%d %d\n", sizeof(c + 1), sizeof(c << l));
	exit(0);
}
