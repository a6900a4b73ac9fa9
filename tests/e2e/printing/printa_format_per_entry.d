/* SPDX-License-Identifier: BSD-2-Clause */
/* A format is printed once for each entry, without newlines of its own. */
#pragma D option quiet
BEGIN
{
	@["a"] = sum(1); @["b"] = sum(2); @["c"] = sum(3);
	printa("%s=%@d;", @); printa("x", @); printa("%%\n", @);
	exit(0);
}
