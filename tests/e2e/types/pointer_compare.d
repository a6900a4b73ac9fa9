/* SPDX-License-Identifier: BSD-2-Clause */
/* Pointers compare unsigned, with each other, with NULL and as conditions. */
#pragma D option quiet
BEGIN
{
	p = (int *)0xffff888000000000; q = (int *)0x1000; n = (int *)NULL;
	printf("%d %d %d\n", p > q, p == q, q != n);
	printf("%d %d %d %d\n", n == NULL, p == 0, !n, p && q);
	printf("%s\n", n ? "set" : "null");
	v = (void *)0x1000;
	printf("%d\n", v == q);
	exit(0);
}
