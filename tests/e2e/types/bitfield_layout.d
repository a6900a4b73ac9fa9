/* SPDX-License-Identifier: BSD-2-Clause */
/* Bit-fields that do not fit go to the next unit; anonymous ones pad. */
#pragma D option quiet
struct b { unsigned char a:4; unsigned char b:6; unsigned short c; unsigned d:1; unsigned :7; unsigned e:8; };
struct w { uint64_t lo:40; uint64_t hi:24; };
struct w x;
BEGIN
{
	printf("%d %d %d\n", sizeof(struct b), offsetof(struct b, c), sizeof(struct w));
	x.lo = 0x123456789a; x.hi = 0xabcdef;
	printf("%x %x\n", x.lo, x.hi);
	exit(0);
}
