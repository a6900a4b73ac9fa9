/* SPDX-License-Identifier: BSD-2-Clause */
// row: trace.bytes
/* A structure is traced as a dump of its bytes. */
#pragma D option quiet
struct s { char a; short b; int c; };
struct s g;
BEGIN
{
	g.a = 'A'; g.b = 0x4342; g.c = 0x7a7978;
	trace(g);
	exit(0);
}
