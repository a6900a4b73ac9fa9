// SPDX-License-Identifier: BSD-2-Clause
// strsize counts the NUL: of three, two characters are kept.
#pragma D option quiet
#pragma D option strsize=3
BEGIN { s = "abcdef"; printf("%s %d %d %s\n", s, strlen(s), sizeof(s), probename); exit(0); }
