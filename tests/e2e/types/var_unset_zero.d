// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Unset elements read as zero.
int a[int]; self int b; string s[int];
BEGIN { printf("%d %d [%s]\n", a[5], self->b, s[9]); exit(0); }
