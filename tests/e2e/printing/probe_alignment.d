// SPDX-License-Identifier: BSD-2-Clause
// row: lang.5
// run: -q
// Fewer fields are aligned to the right.
BEGIN { printf("1"); } :BEGIN { printf("2"); } ::BEGIN { printf("3"); } dtrace:::BEGIN { printf("4\n"); exit(0); }
