// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// The widest assignment gives the type.
BEGIN { a = 1; b = timestamp; c = arg0; d = "x"; e = (short)1; printf("%d %d %d %d\n", sizeof (a), sizeof (b), sizeof (c), sizeof (e)); a = 0x1ffffffff; printf("%d\n", a); exit(0); }
