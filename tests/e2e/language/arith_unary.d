/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.8.2
/* Unary plus, minus, complement and not, stacked. */
#pragma D option quiet
BEGIN
{
	x = 5;
	printf("%d %d %d %d\n", -x, +x, ~x, - -x);
	printf("%d %d %d\n", -~x, ~-x, !-x);
	u = 1u;
	printf("%d\n", -u);
	exit(0);
}
