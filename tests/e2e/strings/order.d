// SPDX-License-Identifier: BSD-2-Clause
// row: lang.11
// run: -q
// Strings compare bytewise as unsigned characters.
BEGIN { a = "abc"; b = "abd"; c = "ab\xff"; printf("%d %d %d %d %d %d\n", a < b, a <= a, b > a, a >= b, a != b, c > b); exit(0); }
