/* SPDX-License-Identifier: BSD-2-Clause */
/* Logical operators give 0 or 1; && and || stop early, ^^ evaluates both sides. */
#pragma D option quiet
BEGIN
{
	a = 0; b = 0; c = 0; d = 0;
	printf("%d %d %d\n", 5 && 7, 0 || 9, 3 ^^ 4);
	printf("%d %d\n", (a++ && b++), (++c || d++));
	printf("%d %d %d %d\n", a, b, c, d);
	e = 1; f = 1;
	printf("%d\n", (e++ ^^ f++));
	printf("%d %d\n", e, f);
	printf("%d %d %d\n", !e, !!e, !0);
	exit(0);
}
