/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.strsize
/* A string holds strsize bytes with its NUL; longer text is cut silently. */
#pragma D option quiet
#pragma D option strsize=9
string g;
BEGIN
{
	g = "0123456789";
	printf("%s %d\n", g, strlen(g));
	printf("%s\n", strjoin("abcde", "fghij"));
	g = "01234567";
	printf("%s %d\n", g, strlen(g));
	printf("%d\n", g == "01234567");
	exit(0);
}
