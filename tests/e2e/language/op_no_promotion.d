// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Two chars add to a char: eight bits are recorded, the comparison sees more.
unsigned char C; char c;
BEGIN { C = 254; c = -3; printf("%d %d\n", C + c, C + c > 255); exit(0); }
