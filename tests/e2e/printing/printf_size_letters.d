/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.hd conv.ld conv.lld
/* Size letters with arguments of exactly their type. */
#pragma D option quiet
BEGIN
{
	printf("%hd %hi %hu %hx %hX %ho\n", (short)-2, (short)-3, (unsigned short)4, (short)-1, (unsigned short)0xab, (short)8);
	printf("%ld %li %lu %lx %lX %lo\n", (long)-2, (long)-3, (unsigned long)4, (long)-1, (unsigned long)0xab, (long)8);
	printf("%lld %lli %llu %llx %llX %llo\n", (long long)-2, -3LL, 4ULL, -1LL, 0xabULL, 8LL);
	printf("%llx %llx\n", (int64_t)10, (uint64_t)11);
	exit(0);
}
