/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.strjoin
/* strjoin puts two strings together. */
#pragma D option quiet
BEGIN
{
	a = "left";
	printf("[%s] [%s] [%s] [%s]\n", strjoin("", ""), strjoin("a", ""), strjoin("", "b"), strjoin(a, "right"));
	b = strjoin(strjoin(a, "-"), strjoin(probename, lltostr(7)));
	printf("%s %d\n", b, strlen(b));
	a = strjoin(a, a);
	printf("%s\n", a);
	exit(0);
}
