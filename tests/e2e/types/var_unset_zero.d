// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Unset elements read as zero, strings as NULL.
int a[int]; self int b; string s[int];
BEGIN { printf("%d %d [%d]\n", a[5], self->b, s[9] == NULL); exit(0); }
