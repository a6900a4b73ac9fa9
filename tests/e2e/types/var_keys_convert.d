// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Integer keys become the declared type; pointers and enums are keys.
enum e { A, B }; int a[char]; int b[enum e, void *];
BEGIN { a[257] = 5; b[B, curthread] = 6; printf("%d %d\n", a[1], b[1, curthread]); exit(0); }
