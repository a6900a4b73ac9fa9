// SPDX-License-Identifier: BSD-2-Clause
// where: both
// Several loops in one clause, of which the verifier cannot tell the last turn.
#pragma D option quiet
int i, j, k, sum, odd[int];
self int a, n;
BEGIN
{
	for (i = 0; i < 23; i++)
		sum |= (self->a ^ 60) + i;
	if (odd[0] + sum != i) {
		for (j = 0; j < 4; j++)
			sum += odd[j] ^ j;
		if (sum != j) {
			if (odd[1] <= 66)
				for (k = 0; k < 4; k++)
					self->n -= i - j;
		}
	}
	printf("%d %d %d %d %d\n", i, j, k, sum, self->n);
	exit(0);
}
