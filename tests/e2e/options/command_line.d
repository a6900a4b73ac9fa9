/* SPDX-License-Identifier: BSD-2-Clause */
// row: flag.x
/* -x sets options, with and without a value; pragmas come after them. */
/* run: -x quiet -x strsize=8 -x aggsortkey=yes */
#pragma D option strsize=6
BEGIN { s = "0123456789"; printf("%s\n", s); @["b"] = sum(1); @["a"] = sum(2); exit(0); }
