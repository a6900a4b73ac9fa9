// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// The first character of a constant is the most significant byte.
BEGIN { printf("%x %x %x\n", 'ab', 'abcd', 'abcdefgh'); exit(0); }
