/* SPDX-License-Identifier: BSD-2-Clause */
/* Overflow of 64 bits wraps and is no fault. */
#pragma D option quiet
BEGIN
{
	big = 0x7fffffffffffffffLL;
	printf("%d\n", big + 1);
	printf("%d\n", big * 2);
	u = 0xffffffffffffffffULL;
	printf("%d\n", u + 2);
	exit(0);
}
