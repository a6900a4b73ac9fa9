/* SPDX-License-Identifier: BSD-2-Clause */
/* A negative index counts from the end. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", substr("hello", -1));
	printf("[%s]\n", substr("hello", -3));
	printf("[%s]\n", substr("hello", -3, 2));
	printf("[%s]\n", substr("hello", -5));
	printf("[%s]\n", substr("hello", -5, 1));
	exit(0);
}
