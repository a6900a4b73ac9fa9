/* SPDX-License-Identifier: BSD-2-Clause */
/* Strings: assignment, comparison, length, as globals, locals and thread-locals. */
#pragma D option quiet
string g;
BEGIN
{
	g = "hello";
	this->s = "world";
	self->t = g;
	printf("%s %s %s %d\n", g, this->s, self->t, strlen(g));
	printf("%d %d %d %d\n", g == "hello", g != "hello", g < "help", "b" > "abc");
	printf("%s|%10s|%-10s|%.3s\n", "x", "right", "left", "truncate");
	printf("[%s]\n", unset = "");
	printf("%s\n", 1 > 0 ? "yes" : "no");
	exit(0);
}
