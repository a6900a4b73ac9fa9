// SPDX-License-Identifier: BSD-2-Clause
// where: both
// for (init; condition; step): the body runs once for each turn, here into variables and an aggregation.
#pragma D option quiet
BEGIN
{
	for (this->i = 0; this->i < 5; this->i++) {
		sum += this->i;
		@[this->i] = count();
	}
	printf("%d\n", sum);
	printa("%d:%@d ", @);
	exit(0);
}
