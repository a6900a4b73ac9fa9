/* SPDX-License-Identifier: BSD-2-Clause */
/* A negative index before the start keeps only the part inside the string. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", substr("hello", -9));
	printf("[%s]\n", substr("hello", -7, 3));
	printf("[%s]\n", substr("hello", -9, 2));
	exit(0);
}
