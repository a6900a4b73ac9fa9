/* SPDX-License-Identifier: BSD-2-Clause */
/* A shift has the type of its left operand; the result is not narrowed in between. */
#pragma D option quiet
BEGIN
{
	i = 1; wide = 40LL;
	printf("%d\n", i << wide);
	printf("%d %d\n", (i << wide) > 0, (i << wide) >> 38);
	printf("%x\n", 1LL << wide);
	c = (char)1;
	printf("%d\n", c << 9);
	exit(0);
}
