// SPDX-License-Identifier: BSD-2-Clause
// Numbers of the faults, and bcopy() beyond scratch memory: its size.
#pragma D option quiet
BEGIN { printf("%d %d\n", DTRACEFLT_BADSIZE, DTRACEFLT_BADINDEX); }
BEGIN { bcopy("abcdefghijkl", alloca(8), 12); }
BEGIN { n = 12; bcopy("abcdefghijkl", alloca(8), n); }
BEGIN { n = 1000; alloca(n); }
ERROR { printf("%d %d\n", arg4, arg5); }
BEGIN { exit(0); }
