/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.p
/* %p prints hexadecimal without 0x; ? makes the width 16. */
#pragma D option quiet
BEGIN
{
	printf("[%p][%p][%p]\n", (void *)0x1234abcd, 255, (char *)0);
	printf("[%?p][%-?p][%0?x]\n", (void *)0xabc, (void *)0xabc, 0xabcLL);
	printf("[%?d]\n", 42);
	exit(0);
}
