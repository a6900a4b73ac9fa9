/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of several types in one tuple, each of which tells elements apart. */
#pragma D option quiet
BEGIN
{
	a[1, "x", 'c', 5LL] = 1;
	a[2, "x", 'c', 5LL] = 2;
	a[1, "y", 'c', 5LL] = 3;
	a[1, "x", 'd', 5LL] = 4;
	a[1, "x", 'c', 6LL] = 5;
	printf("%d%d%d%d%d", a[1, "x", 'c', 5LL], a[2, "x", 'c', 5LL], a[1, "y", 'c', 5LL], a[1, "x", 'd', 5LL], a[1, "x", 'c', 6LL]);
	printf("%d\n", a[2, "y", 'c', 5LL]);
	exit(0);
}
