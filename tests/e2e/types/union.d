/* SPDX-License-Identifier: BSD-2-Clause */
/* The members of a union share their bytes. */
#pragma D option quiet
union u { uint32_t word; uint16_t half[2]; uint8_t byte[4]; };
union u v;
BEGIN
{
	v.word = 0x04030201;
	printf("%x %x %x %x\n", v.byte[0], v.byte[3], v.half[0], v.half[1]);
	v.byte[1] = 0xff;
	printf("%x\n", v.word);
	exit(0);
}
