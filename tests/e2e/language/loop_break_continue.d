// SPDX-License-Identifier: BSD-2-Clause
// where: both
// break ends the loop, continue begins its next turn.
#pragma D option quiet
int n, odd;
BEGIN
{
	while (n < 100) {
		n++;
		if (n == 7) break;
		if (n % 2 == 0) continue;
		odd++;
	}
	printf("%d %d\n", n, odd);
	exit(0);
}
