// SPDX-License-Identifier: BSD-2-Clause
// Structs and unions are keys, compared as bytes.
#pragma D option quiet
struct k { int a; char c; } g; union u { int a; long l; } v;
BEGIN
{
	g.a = 1; @[g] = count(); x[g, "s"] = 4;
	g.c = 'c'; @[g] = count(); @[g] = count(); x[g, "s"] = 5;
	v.l = 7; @u[v] = sum(9); y[v] = 3;
	printf("%d ", x[g, "s"]);
	g.c = 0;
	printf("%d %d\n", x[g, "s"], y[v]);
	exit(0);
}
