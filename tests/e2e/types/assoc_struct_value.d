/* SPDX-License-Identifier: BSD-2-Clause */
/* Structures as values of an associative array. */
#pragma D option quiet
struct point { int x; int y; };
struct point p[string];
BEGIN
{
	p["a"].x = 1; p["a"].y = 2;
	p["b"].x = 3;
	p["a"].x += 10;
	printf("%d %d %d %d\n", p["a"].x, p["a"].y, p["b"].x, p["b"].y);
	p["a"] = 0;
	printf("%d %d\n", p["a"].x, p["b"].x);
	exit(0);
}
