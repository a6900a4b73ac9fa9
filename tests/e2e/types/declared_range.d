// SPDX-License-Identifier: BSD-2-Clause
// A constant that a declared variable or inline cannot hold is a warning.
#pragma D option quiet
int x; unsigned u; char c; inline signed char s = 300; inline int8_t fits = 255;
BEGIN { u = -1; c = 200; x = 0xffffffff; x = 5000000000; printf("%d %d %x %d %d %d", u, c, x, sizeof(x), s, fits); exit(0); }
