// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Prefix gives the new value, postfix the old one.
BEGIN { x = 5; printf("%d %d %d %d %d\n", x++, ++x, x--, --x, x); exit(0); }
