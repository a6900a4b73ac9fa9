/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.c
/* %c prints a byte; widths apply. */
#pragma D option quiet
BEGIN
{
	printf("%c%c%c|%3c|%-3c|\n", 'a', 98, (char)0x63, 'd', 'e');
	s = (short)0x66;
	printf("%c\n", s);
	exit(0);
}
