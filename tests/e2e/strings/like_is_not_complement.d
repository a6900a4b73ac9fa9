// SPDX-License-Identifier: BSD-2-Clause
// x =~ 3 is still an assignment of a complement: only a string makes it a comparison.
#pragma D option quiet
BEGIN { x = 1; x =~ 3; y = !~x; printf("%d %d\n", x, y); exit(0); }
