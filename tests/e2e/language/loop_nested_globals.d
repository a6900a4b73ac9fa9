/* SPDX-License-Identifier: BSD-2-Clause */
// where: both
/* Loops within loops whose variables the verifier knows nothing about: it follows each inner turn once. */
#pragma D option quiet
int i, j, n, m;
BEGIN
{
	for (i = 0; i < 3; i++)
		for (j = 0; j < 3; j++)
			n++;
	printf("%d\n", n);
}
BEGIN
{
	n = 0;
	for (i = 0; i < 30; i++) {
		for (j = 0; j < i; j++)
			if (j % 2)
				n++;
			else
				m++;
	}
	printf("%d %d\n", n, m);
	i = n = 0;
	while (i < 20) {
		j = 0;
		while (1) {
			if (j > i)
				break;
			j++;
			n += a[j]++;
		}
		i++;
	}
	printf("%d\n", n);
	exit(0);
}
