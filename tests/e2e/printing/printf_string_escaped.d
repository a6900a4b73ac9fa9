/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.S
/* %S shows C escapes, octal for the others, and the NUL at the end. */
#pragma D option quiet
BEGIN
{
	printf("[%S]\n", "plain");
	printf("[%S]\n", "tab\tnl\nquote\"back\\slash");
	printf("[%S]\n", "\a\b\f\r\v\001\033x");
	printf("[%S]\n", "");
	exit(0);
}
