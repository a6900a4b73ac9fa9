/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strchr
/* strrchr gives the rest from the last such character. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", strrchr("abcabc", 'b'));
	printf("[%s]\n", strrchr("abcabc", 'a'));
	printf("[%s]\n", strrchr("/usr/lib/x", '/'));
	printf("[%s]\n", strrchr("abc", 'a'));
	exit(0);
}
