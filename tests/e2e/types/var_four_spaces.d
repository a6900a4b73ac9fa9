/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.13
/* x, self->x, this->x and @x are four different things. */
#pragma D option quiet
BEGIN
{
	x = 1; self->x = 2; this->x = 3; @x = sum(4);
	printf("%d %d %d\n", x, self->x, this->x);
	printa("%@d\n", @x);
	exit(0);
}
