/* SPDX-License-Identifier: BSD-2-Clause */
/* An index at or beyond the end gives the empty string. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", substr("hello", 5));
	printf("[%s]\n", substr("hello", 9));
	printf("[%s]\n", substr("hello", 5, 2));
	printf("[%s]\n", substr("hello", 9, -1));
	printf("[%s]\n", substr("", 0));
	printf("[%s]\n", substr("", 0, 5));
	exit(0);
}
