/* SPDX-License-Identifier: BSD-2-Clause */
/* Of a constant that its type, int, does not hold, bits are lost where it is kept; this is said. Where it is only used they are not. */
#pragma D option quiet
BEGIN
{
	printf("%d %d\n", 60 * 1000000000, 60 * 1000000000L);
	printf("%d %x %d\n", 2000000000 + 2000000000, 0xff << 24, -2147483648);
	printf("%u %d %d\n", 1 << 31, 5000000000, 1 << 40);
	trace(3600 * 1000000000);
	@[60 * 1000000000] = count();
	n = 60 * 1000000000;
	printf("\n%d %d\n", n, (0 * n + 59999999999) < 60 * 1000000000);
	exit(0);
}
