/* SPDX-License-Identifier: BSD-2-Clause */
/* Bit-fields are truncated to their width and extended by their sign. */
#pragma D option quiet
struct b { unsigned a:3; unsigned b:5; int c:4; unsigned d:20; };
struct b x;
BEGIN
{
	x.a = 9; x.b = 31; x.c = 15; x.d = 0xfffff;
	printf("%d %d %d %x\n", x.a, x.b, x.c, x.d);
	x.b = 0;
	x.c = 7;
	x.a++;
	printf("%d %d %d %x\n", x.a, x.b, x.c, x.d);
	printf("%d\n", sizeof(struct b));
	exit(0);
}
