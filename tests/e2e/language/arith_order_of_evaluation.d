/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands and arguments are evaluated left to right. */
#pragma D option quiet
BEGIN
{
	i = 1;
	printf("%d %d %d\n", i++, i++, i++);
	x = i++ * 10 + i++;
	printf("%d\n", x);
	exit(0);
}
