// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// A backslash before a newline is ignored in expressions.
BEGIN { printf("%d\n", 1 + \
 2); exit(0); }
