/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.2.7
/* A character constant is an int with the value of its byte. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", 'a', ' ', '"', sizeof('a'));
	printf("%d %d %d %d %d %d %d\n", '\a', '\b', '\f', '\n', '\r', '\t', '\v');
	printf("%d %d %d %d\n", '\0', '\101', '\x41', '\\');
	printf("%c%c\n", 'o', 'k');
	printf("%d\n", 'z' - 'a');
	exit(0);
}
