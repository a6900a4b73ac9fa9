/* SPDX-License-Identifier: BSD-2-Clause */
/* A NUL in a string literal ends the string. */
#pragma D option quiet
BEGIN
{
	printf("%d [%s]\n", strlen("abc\0def"), "abc\0def");
	x = "abc\0def";
	printf("%d %d\n", x == "abc", strlen(x));
	exit(0);
}
