/* SPDX-License-Identifier: BSD-2-Clause */
/* A store into a narrower variable truncates silently; loading extends again. */
#pragma D option quiet
char c; uint8_t u8; short s; uint16_t u16; int i; uint32_t u32;
BEGIN
{
	c = 0x181; u8 = 0x181; s = 0x18001; u16 = 0x18001; i = 0x180000001; u32 = 0x180000001;
	printf("%d %d %d %d %d %d\n", c, u8, s, u16, i, u32);
	printf("%d %d\n", c < 0, u8 < 0);
	exit(0);
}
