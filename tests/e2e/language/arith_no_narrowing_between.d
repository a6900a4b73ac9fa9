/* SPDX-License-Identifier: BSD-2-Clause */
/* An intermediate result is not narrowed; what is recorded or stored is. */
#pragma D option quiet
unsigned char uc; int i;
BEGIN
{
	uc = 254;
	printf("%d\n", uc + uc);
	printf("%d\n", uc + uc > 255);
	i = 2147483647;
	printf("%d\n", i + 1);
	printf("%d\n", i + 1 > 0);
	printf("%d\n", (int)(i + 1) > 0);
	exit(0);
}
