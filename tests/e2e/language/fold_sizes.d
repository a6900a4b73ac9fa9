// SPDX-License-Identifier: BSD-2-Clause
// row: lang.9
// run: -q
// Folded constants serve as sizes, widths and bounds.
inline int N = 4; enum { K = 3 };
int a[N * 2]; struct s { int x:K; char c[sizeof (int)]; };
BEGIN { printf("%d %d\n", sizeof (a), sizeof (struct s)); @ = lquantize(1, 0, N * 2, K - 2); trunc(@); exit(0); }
