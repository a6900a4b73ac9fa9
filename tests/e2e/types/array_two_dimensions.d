/* SPDX-License-Identifier: BSD-2-Clause */
/* An array of arrays. */
#pragma D option quiet
int m[3][4];
BEGIN
{
	m[0][3] = 3; m[1][0] = 10; m[2][3] = 23;
	i = 2; j = 3;
	printf("%d %d %d %d\n", m[0][3], m[1][0], m[i][j], m[0][0]);
	m[i][j] += 100;
	printf("%d %d %d\n", m[2][3], sizeof(m), sizeof(m[0]));
	exit(0);
}
