/* SPDX-License-Identifier: BSD-2-Clause */
/* A fault in a branch of if ends the clause. */
#pragma D option quiet
int zero;
BEGIN
{
	x = 1;
	if (x == 1) {
		y = 5;
		z = 1 / zero;
	} else
		y = 6;
	y = 7;
	printf("never\n");
}
BEGIN { printf("%d\n", y); exit(0); }
