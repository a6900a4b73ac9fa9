/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x strsize=40
/* sizeof of a string is strsize, whatever it can hold; a literal has its length and the NUL. */
char a[sizeof(string)];
string v[3];
BEGIN
{
	x = "hello";
	printf("%d %d %d %d %d %d %d\n", sizeof(string), sizeof(execname), sizeof(x), sizeof(strjoin(x, x)), sizeof("abc"), sizeof(a), sizeof(v));
	exit(0);
}
