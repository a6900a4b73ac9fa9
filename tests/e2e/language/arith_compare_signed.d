/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparison is signed unless the promoted type is unsigned. */
#pragma D option quiet
BEGIN
{
	i = -1; l = -1L; u = 1u; ul = 1UL; c = (char)-1; s = (short)1;
	printf("%d %d %d %d\n", i < 1, l < u, i < u, l < ul);
	printf("%d %d\n", c < s, c < ul);
	printf("%d %d %d\n", i <= i, i >= 0, i != 1);
	exit(0);
}
