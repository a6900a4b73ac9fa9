// SPDX-License-Identifier: BSD-2-Clause
// =~ and !~: a string against a literal pattern with *, ?, sets and quoted characters.
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", execname =~ "d*x", execname !~ "d*x", "RWS" =~ "*W*", "RS" =~ "*W*");
	printf("%d %d %d %d\n", "" =~ "*", "" =~ "?", "abc" =~ "a?c", "abc" =~ "a?");
	printf("%d %d %d %d\n", "abc" =~ "[a-c]b[!d]", "abd" =~ "[a-c]b[!d]", "a*c" =~ "a\\*c", "axc" =~ "a\\*c");
	printf("%d %d\n", "abcabc" =~ "*abc", strjoin("/usr/lib", "/x.so") =~ "/usr/*.so");
	exit(0);
}
