/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.7.3
/* sizeof and offsetof follow the C layout. */
#pragma D option quiet
struct s { char a; int b; short c; long long d; char e[3]; };
struct nested { char x; struct s in; };
struct packedlike { char a; char b; short c; };
union u { char a; int b; long c; char d[12]; };
BEGIN
{
	printf("%d %d %d %d %d\n", offsetof(struct s, a), offsetof(struct s, b), offsetof(struct s, c), offsetof(struct s, d), offsetof(struct s, e));
	printf("%d %d %d %d\n", sizeof(struct s), sizeof(struct nested), offsetof(struct nested, in), sizeof(struct packedlike));
	printf("%d %d\n", sizeof(union u), offsetof(union u, d));
	exit(0);
}
