/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.7.1
/* sizeof and offsetof of structs, unions, enums and bit-fields. */
#pragma D option quiet
struct a { char c; int i; short s; long l; }; union u { char c[7]; int i; }; enum e { A, B = 10, C };
typedef struct { int x; char y; } t; typedef int arr[5];
struct bf { int a:3; int :0; int b:2; }; struct bg { char c; int b:20; }; struct bh { long a:33; int b:31; };
struct n { struct a a; union u u; struct { int q; } in; enum e e; char *p; };
BEGIN { printf("%d %d %d %d %d %d %d %d %d\n", sizeof(struct a), sizeof(union u), sizeof(enum e), sizeof(t), sizeof(arr), sizeof(struct bf), sizeof(struct bg), sizeof(struct bh), sizeof(struct n));
 printf("%d %d %d %d %d\n", offsetof(struct a, i), offsetof(struct a, s), offsetof(struct a, l), offsetof(struct n, in), offsetof(struct n, p));
 printf("%d %d %d %d\n", sizeof(void *), sizeof(char), sizeof(long long), sizeof("abc"));
 printf("%d %d %d\n", A, B, C); exit(0); }
