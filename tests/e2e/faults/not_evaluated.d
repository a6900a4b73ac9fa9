/* SPDX-License-Identifier: BSD-2-Clause */
/* What is not evaluated does not fault. */
#pragma D option quiet
int zero;
BEGIN
{
	printf("%d\n", zero && 1 / zero);
	printf("%d\n", zero ? 1 / zero : 7);
	printf("%d\n", !zero || 1 / zero);
	exit(0);
}
BEGIN /zero != 0 && 10 / zero/ { printf("never\n"); }
ERROR { printf("never\n"); }
