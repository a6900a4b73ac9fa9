// SPDX-License-Identifier: BSD-2-Clause
// A constant that a declared variable cannot hold is a warning.
#pragma D option quiet
int x; unsigned u; char c;
BEGIN { u = -1; c = 200; x = 0xffffffff; x = 5000000000; printf("%d %d %x %d", u, c, x, sizeof(x)); exit(0); }
