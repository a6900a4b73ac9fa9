/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.u
/* %u, %o, %x and %X are unsigned in the width of the argument. */
#pragma D option quiet
BEGIN
{
	printf("%x %x %x %x\n", (char)-1, (short)-1, -1, -1LL);
	printf("%u %u %u %u\n", (char)-1, (short)-1, -1, -1LL);
	printf("%o %o %X %X\n", (char)-1, (short)-1, -1, 0xabcdLL);
	exit(0);
}
