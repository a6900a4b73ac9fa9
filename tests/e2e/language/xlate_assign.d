/* SPDX-License-Identifier: BSD-2-Clause */
/* Assigning the translated value evaluates all members. */
#pragma D option quiet
struct num { int twice; int square; };
translator struct num < int N > { twice = N * 2; square = N * N; };
struct num v;
BEGIN
{
	n = 4;
	v = xlate <struct num>(n);
	n = 100;
	printf("%d %d\n", v.twice, v.square);
	exit(0);
}
