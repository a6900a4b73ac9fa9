/* SPDX-License-Identifier: BSD-2-Clause */
/* int with unsigned is unsigned, long with unsigned int is signed. */
#pragma D option quiet
BEGIN
{
	i = 1; u = 2u; l = 1L; ul = 2UL;
	printf("%d\n", i - u);
	printf("%d\n", l - u);
	printf("%d\n", l - ul);
	exit(0);
}
