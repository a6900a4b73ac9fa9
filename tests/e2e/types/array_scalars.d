/* SPDX-License-Identifier: BSD-2-Clause */
/* A declared array of integers: elements, constant and variable index, sizeof. */
#pragma D option quiet
int v[8];
char c[3];
BEGIN
{
	v[0] = 1; v[7] = 8;
	i = 3;
	v[i] = 30; v[i + 1] = 40;
	v[i]++;
	printf("%d %d %d %d %d\n", v[0], v[3], v[4], v[7], v[6]);
	c[1] = 300;
	printf("%d %d %d\n", c[1], sizeof(v), sizeof(c));
	exit(0);
}
