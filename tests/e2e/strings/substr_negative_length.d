/* SPDX-License-Identifier: BSD-2-Clause */
/* A negative length leaves off that many characters at the end. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", substr("hello", 0, -1));
	printf("[%s]\n", substr("hello", 1, -1));
	printf("[%s]\n", substr("hello", -4, -1));
	printf("[%s]\n", substr("hello", 1, -4));
	printf("[%s]\n", substr("hello", 1, -9));
	printf("[%s]\n", substr("hello", -3, -2));
	exit(0);
}
