// SPDX-License-Identifier: BSD-2-Clause
// The pattern of =~ and !~ may have a name: inline strings, operands, options of the script; a name of a number keeps
// the complement.
// args: a?c bash 5
#pragma D option quiet
#pragma D param name string "ab*" "a pattern"
inline string own = "d*x";
inline string same = own;
BEGIN
{
	printf("%d %d %d\n", execname =~ own, execname !~ own, "x" =~ same);
	printf("%d %d %d %d\n", "abc" =~ $1, "abc" =~ $$1, "abc" =~ $name, "xb" !~ $$name);
	printf("%d %d\n", "bash" =~ $$2, 1 && "dtx" =~ own && 1);
	x = 1; x =~ $3; printf("%d %d\n", x, !~x);
	exit(0);
}
