// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Plain char is signed; unsigned char is not.
char c; unsigned char u; signed char s;
BEGIN { c = 200; u = 200; s = 200; printf("%d %d %d\n", c, u, s); exit(0); }
