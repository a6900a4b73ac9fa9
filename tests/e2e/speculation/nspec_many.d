/* SPDX-License-Identifier: BSD-2-Clause */
/* The first free number of a hundred, and of those that have ended. */
#pragma D option quiet
#pragma D option nspec=100

int sum, last;

BEGIN
{
	for (i = 0; i < 100; i++) {
		last = speculation();
		sum += last;
	}
	printf("%d %d\n", sum, last);
	printf("%d\n", speculation());
	discard(77);
	discard(64);
}

tick-1200ms
{
	printf("%d %d %d\n", speculation(), speculation(), speculation());
	exit(0);
}
