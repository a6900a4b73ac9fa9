/* SPDX-License-Identifier: BSD-2-Clause */
/* What is traced has the size of the variable. */
/* filter: cpu */
char c; unsigned short us; uint64_t u; string s;
BEGIN
{
	c = 300; us = 70000; u = -1; s = "var"; i = 1; n++;
	trace(c); trace(us); trace(u); trace(s); trace(i); trace(n);
	exit(0);
}
