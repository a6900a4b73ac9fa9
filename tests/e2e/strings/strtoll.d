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
	exit(0);
}
