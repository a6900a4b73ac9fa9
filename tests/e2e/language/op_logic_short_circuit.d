// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// && and || stop when the result is known; ^^ takes both.
BEGIN { 0 && x++; 1 || x++; 1 && y++; 0 || y++; (z++ > 5) ^^ (z++ > 5); printf("%d %d %d\n", x, y, z); exit(0); }
