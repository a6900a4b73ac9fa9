// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A string longer than strsize is cut.
#pragma D option strsize=9
BEGIN { s = "0123456789"; printf("%s %d %s\n", s, strlen(s), strjoin("abcdef", "ghijkl")); exit(0); }
