/* SPDX-License-Identifier: BSD-2-Clause */
/* An inline constant as array size, bit-field width, enumerator and aggregation bound. */
#pragma D option quiet
inline int N = 5;
int v[N];
struct b { unsigned f:N; };
enum e { FIRST = N, SECOND };
struct b x;
BEGIN
{
	x.f = 63;
	printf("%d %d %d\n", sizeof(v), x.f, SECOND);
	@ = lquantize(7, 0, N * 2, N);
	exit(0);
}
