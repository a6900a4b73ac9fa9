// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// The wider type wins, then the unsigned one.
int i; unsigned u; long l; short s; char c;
BEGIN { i = -1; u = 1; l = -1; printf("%d %d %d %d %d\n", i < u, l < u, sizeof (s * i), sizeof (c + c), sizeof (l + u)); exit(0); }
