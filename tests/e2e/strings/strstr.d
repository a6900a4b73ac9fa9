/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strstr
/* strstr gives the rest from the first occurrence; the empty string occurs at once. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", strstr("hello world", "o"));
	printf("[%s]\n", strstr("hello world", "wor"));
	printf("[%s]\n", strstr("hello", ""));
	printf("[%s]\n", strstr("hello", "hello"));
	printf("[%s]\n", strstr("aab", "ab"));
	exit(0);
}
