/* SPDX-License-Identifier: BSD-2-Clause */
/* Values are narrowed when stored, cast or recorded, not in between (DTrace guide "Types, Operators, and Expressions"). */
#pragma D option quiet
unsigned char c;
short s;
BEGIN
{
	c = 254;
	c = c + 4;
	s = 40000;
	printf("%d %d %d\n", c, s, (char)200);
	this->big = 1ULL << 40;
	printf("%d %d\n", (int)this->big, this->big > 0);
	printf("%x %x\n", (unsigned short)0x12345, (uint8_t)0xabc);
	exit(0);
}
