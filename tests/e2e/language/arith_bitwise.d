/* SPDX-License-Identifier: BSD-2-Clause */
/* And, or, exclusive or and complement, with the widths of their operands. */
#pragma D option quiet
BEGIN
{
	a = 0xf0f0; b = 0x0ff0;
	printf("%x %x %x %x\n", a & b, a | b, a ^ b, ~a);
	printf("%x %x\n", ~0LL, ~(char)0);
	printf("%d %d\n", -1 & 0xff, -1 | 0);
	exit(0);
}
