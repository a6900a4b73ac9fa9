/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.substr
/* substr from an index, with and without a length. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", substr("hello", 0));
	printf("[%s]\n", substr("hello", 1));
	printf("[%s]\n", substr("hello", 1, 3));
	printf("[%s]\n", substr("hello", 0, 0));
	printf("[%s]\n", substr("hello", 4));
	printf("[%s]\n", substr("hello", 1, 99));
	printf("[%s]\n", substr("hello", 4, 1));
	exit(0);
}
