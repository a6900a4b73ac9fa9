/* SPDX-License-Identifier: BSD-2-Clause */
/* Structures in structures and arrays of structures. */
#pragma D option quiet
struct in { int a; int b; };
struct out { struct in one; struct in many[3]; };
struct out o;
BEGIN
{
	o.one.b = 2; o.many[1].a = 11; o.many[2].b = 22;
	i = 2;
	printf("%d %d %d %d\n", o.one.b, o.many[1].a, o.many[i].b, o.many[0].a);
	printf("%d %d\n", sizeof(o), sizeof(o.many[0]));
	exit(0);
}
