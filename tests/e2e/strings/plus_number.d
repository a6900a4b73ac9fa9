// SPDX-License-Identifier: BSD-2-Clause
// string + n and string - n are strings; (char *) of a string reads like any pointer.
#pragma D option quiet
char *p;
BEGIN
{
	this->s = "hello"; n = 3;
	printf("%s %s %s %s\n", "abc" + 1, 1 + "abc", "abc" - 0, this->s + 2);
	printf("%s %s [%s] %d\n", this->s + n - 1, this->s + 4 - n, this->s + 9, strlen(this->s + n));
	printf("%d %d %c\n", "xab" + 1 == "ab", sizeof("abc" + 1) == sizeof(string), *("abc" + 1));
	p = probename;
	printf("%c%c%c %c\n", p[0], p[1], *(p + 4), ((char *)curpsinfo->pr_fname)[0] == execname[0] ? 'y' : 'n');
}
BEGIN { trace("abc" - 1); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }
