/* SPDX-License-Identifier: BSD-2-Clause */
/* if without else, strings and && in its condition, an empty branch. */
#pragma D option quiet
BEGIN
{
	s = "abc"; n = 2;
	if (s == "abc" && n > 1) printf("one\n");
	if (n > 5) { printf("never\n"); }
	if (n) { } else { printf("never\n"); }
	if (!n) { } else printf("two\n");
	exit(0);
}
