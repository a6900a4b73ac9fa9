/* SPDX-License-Identifier: BSD-2-Clause */
/* Subroutines as arguments of subroutines, and their results kept. */
#pragma D option quiet
BEGIN
{
	printf("%s\n", strjoin(basename("/a/b.c"), strjoin(toupper("-x-"), substr(dirname("/usr/lib/x"), 1, 3))));
	printf("%d\n", index(strjoin("abc", "def"), substr("xcdx", 1, 2)));
	printf("%s\n", strtok(strjoin("a:", "b:c"), substr(",:", 1)));
	printf("%s\n", strjoin(strtok(NULL, ":"), strtok(NULL, ":")));
	s = "x";
	s = strjoin(s, s);
	s = strjoin(s, lltostr(strlen(s)));
	printf("%s %s\n", s, strstr(s, "x2"));
	printf("%d %d\n", strjoin("a", "b") < strjoin("a", "c"), toupper("ab") == "AB");
	printf("%d\n", strtoll(strjoin("4", "2")) + 1);
	exit(0);
}
