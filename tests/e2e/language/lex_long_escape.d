// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Hexadecimal escapes take all digits that follow and keep eight bits.
BEGIN { printf("%s|%d\n", "\x141\x142", '\x141'); exit(0); }
