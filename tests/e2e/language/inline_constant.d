/* SPDX-License-Identifier: BSD-2-Clause */
/* Inline constants of several types. */
#pragma D option quiet
inline int N = 3;
inline int M = N * 4 + 1;
inline string S = "text";
inline uint64_t BIG = 1ULL << 40;
BEGIN
{
	printf("%d %d %s %d\n", N, M, S, BIG);
	printf("%d\n", M > N ? N : M);
	exit(0);
}
