/* SPDX-License-Identifier: BSD-2-Clause */
/* A right shift is arithmetic if the left operand is signed, logical otherwise. */
#pragma D option quiet
BEGIN
{
	s = -16; l = -16LL; u = 0xfffffff0u; ul = 0xfffffffffffffff0UL;
	printf("%d %d\n", s >> 2, l >> 2);
	printf("%x %x\n", u >> 28, ul >> 60);
	printf("%x\n", (unsigned)s >> 28);
	s >>= 3;
	u >>= 4;
	printf("%d %x\n", s, u);
	exit(0);
}
