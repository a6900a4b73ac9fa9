// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// sizeof does not evaluate; it takes expressions without parentheses.
BEGIN { x = 1; printf("%d %d %d\n", sizeof x, sizeof (x++), x); exit(0); }
