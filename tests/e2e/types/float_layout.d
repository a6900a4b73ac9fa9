// SPDX-License-Identifier: BSD-2-Clause
// row: lang.7.2
// run: -q
// Floating types have their size in structs.
struct f { float a; double b; long double c; char d; };
BEGIN { printf("%d %d %d %d %d\n", sizeof (float), sizeof (double), sizeof (long double), sizeof (struct f), offsetof(struct f, d)); exit(0); }
