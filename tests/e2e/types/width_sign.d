// SPDX-License-Identifier: BSD-2-Clause
// Of 64 bits with a sign and without, the first that is no constant; a declared int keeps 32 bits.
#pragma D option quiet
int i;
BEGIN { s = 0; u = 0; c = (char)1; i = 0; }
BEGIN { u = timestamp; u = arg0 - 1; s = arg0 - 1; s = timestamp - timestamp - 1; c = 300; i = timestamp; }
BEGIN { printf("%d %d %d %d %d\n", u > 0, s < 0, c, sizeof(c), sizeof(i)); exit(0); }
