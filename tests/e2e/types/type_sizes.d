/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.7.5
/* Sizes of the C types. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
	printf("%d %d %d %d\n", sizeof(void *), sizeof(float), sizeof(double), sizeof(unsigned long long int));
	printf("%d %d\n", sizeof(char *), sizeof(int[3]));
	exit(0);
}
