/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.lltostr
/* lltostr with a base: 8 and 16 have their prefixes, only 10 is signed. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", lltostr(255, 16));
	printf("[%s]\n", lltostr(8, 8));
	printf("[%s]\n", lltostr(5, 2));
	printf("[%s]\n", lltostr(-12, 10));
	printf("[%s]\n", lltostr(-1, 16));
	printf("[%s]\n", lltostr(35, 36));
	exit(0);
}
