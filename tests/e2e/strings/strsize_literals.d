/* SPDX-License-Identifier: BSD-2-Clause */
/* Literals longer than strsize are cut before they are compared, as every string is. */
#pragma D option quiet
#pragma D option strsize=3
BEGIN
{
	x = "abc";
	printf("%d %d %d %d %d\n", "abc" == "abc", "abc" != "abc", x == "abc", "abx" == x, "axc" == x);
	exit(0);
}
