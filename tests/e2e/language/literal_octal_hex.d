/* SPDX-License-Identifier: BSD-2-Clause */
/* Decimal, octal and hexadecimal literals, in either case. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", 010, 0x10, 0X1f, 0);
	printf("%x %x\n", 0xDeadBeef, 0xABCDEFabcdefLL);
	printf("%d\n", 0777);
	printf("%d\n", 01777777777777777777777);
	exit(0);
}
