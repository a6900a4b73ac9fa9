// SPDX-License-Identifier: BSD-2-Clause
// -3U is an unsigned int; what is no literal is computed with 64 bits.
#pragma D option quiet
BEGIN
{
	x = 3U;
	printf("%d %d %d %d\n", (long)-3U, -3U == 4294967293, -3U > 0, - -3U);
	printf("%d %d %d %d\n", (long)-x, (long)~0U, (long)(0 - 3U), (long)-3UL);
	exit(0);
}
