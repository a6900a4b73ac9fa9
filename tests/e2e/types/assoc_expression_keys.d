/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys are any expressions. */
#pragma D option quiet
BEGIN
{
	i = 3;
	a[i + 1] = 40; a[i * 2] = 60;
	b[execname, pid] = 9;
	printf("%d %d %d\n", a[4], a[6], b[execname, $pid]);
	c[a[4]] = 5;
	printf("%d %d\n", c[40], c[a[i + 1]]);
	exit(0);
}
