// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// An inline is evaluated where it is used.
int x; inline int twice = x * 2;
BEGIN { x = 5; printf("%d ", twice); x = 7; printf("%d\n", twice); exit(0); }
