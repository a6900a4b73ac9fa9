// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A shift has the type of its left operand.
int i; long l;
BEGIN { i = -16; l = 2; printf("%d %d %d %d\n", i >> l, sizeof (i << l), 0xfffffff0 >> 2, -16 >> 2); exit(0); }
