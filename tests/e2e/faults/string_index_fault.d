// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// An index beyond the end of a string is a fault or zero.
BEGIN { s = "abc"; i = 1; printf("%c %d\n", s[i], s[3]); exit(0); }
