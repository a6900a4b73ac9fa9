/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.16
/* An inline with parameters is used with brackets. */
#pragma D option quiet
inline int add[int a, int b] = a + b;
inline int twice[int x] = x * 2;
inline string sign[int x] = x < 0 ? "negative" : x > 0 ? "positive" : "zero";
BEGIN
{
	n = 5;
	printf("%d %d %d\n", add[1, 2], add[n, twice[n]], twice[n + 1]);
	printf("%s %s %s\n", sign[-3], sign[n], sign[0]);
	exit(0);
}
