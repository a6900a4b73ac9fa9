/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.12
/* Pointer arithmetic is scaled by the size of the target. */
#pragma D option quiet
struct s { long a; long b; };
BEGIN
{
	p = (int *)0x1000; s = (struct s *)0x1000; c = (char *)0x1000;
	printf("%p %p %p %p\n", p + 1, 2 + p, p - 1, s + 2);
	printf("%p %d %d\n", c + 3, (p + 4) - p, (s + 3) - s);
	p++; s += 2;
	printf("%p %p\n", p, s);
	printf("%d %d\n", sizeof(*p), sizeof(*s));
	exit(0);
}
