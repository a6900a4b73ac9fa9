/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strchr
/* strchr gives the rest from the first such character. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", strchr("abcabc", 'b'));
	printf("[%s]\n", strchr("abcabc", 'a'));
	printf("[%s]\n", strchr("a/b", '/'));
	printf("[%s]\n", strchr("abc", 'c'));
	exit(0);
}
