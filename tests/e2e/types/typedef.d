/* SPDX-License-Identifier: BSD-2-Clause */
/* Typedefs of integers, pointers, arrays, structures. */
#pragma D option quiet
typedef unsigned char byte_t;
typedef struct pair { int a; int b; } pair_t;
typedef pair_t *pairp_t;
typedef int four_t[4];
byte_t b;
pair_t p;
four_t f;
BEGIN
{
	b = 257;
	p.a = 3; p.b = 4;
	f[2] = 9;
	printf("%d %d %d %d\n", b, p.a + p.b, f[2], (byte_t)511);
	printf("%d %d %d %d\n", sizeof(byte_t), sizeof(pair_t), sizeof(pairp_t), sizeof(four_t));
	exit(0);
}
