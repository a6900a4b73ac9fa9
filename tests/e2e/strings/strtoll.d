/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strtoll
/* strtoll reads a number, in base 10 or the given one. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", strtoll("123"));
	printf("%d\n", strtoll("-42"));
	printf("%d\n", strtoll("ff", 16));
	printf("%d\n", strtoll("101", 2));
	printf("%d\n", strtoll("12abc"));
	printf("%d\n", strtoll("zz", 36));
	printf("%d\n", strtoll(""));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	printf("%d %d\n", strtoll("9223372036854775808"), strtoll("-9223372036854775809"));
	printf("%d %d\n", strtoll("99999999999999999999999"), strtoll("-1000000000000000000000000000000000000000000000"));
	printf("%x %x\n", strtoll("7fffffffffffffff", 16), strtoll("0xffffffffffffffff", 16));
	printf("%d %d\n", strtoll("1y2p0ij32e8e7", 36), strtoll("1y2p0ij32e8e8", 36));
	exit(0);
}
