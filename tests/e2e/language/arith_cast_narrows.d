/* SPDX-License-Identifier: BSD-2-Clause */
/* A cast truncates to its size and extends by its sign. */
#pragma D option quiet
BEGIN
{
	x = 0x123456789abcdef0LL;
	printf("%d %d %d\n", (char)x, (short)x, (int)x);
	printf("%d %d %d\n", (unsigned char)x, (uint16_t)x, (uint32_t)x);
	m = -1;
	printf("%x %x\n", (uint64_t)(uint32_t)m, (uint64_t)m);
	printf("%d\n", (int64_t)(uint8_t)m + 1);
	exit(0);
}
