/* SPDX-License-Identifier: BSD-2-Clause */
/* An integer operand is an integer token, in decimal, octal and hexadecimal. */
/* args: 0x10 010 +5 */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %d\n", $1, $2, $3, $1 + $2 * 2);
	printf("%s %s %s\n", $$1, $$2, $$3);
	printf("%d %d\n", sizeof($1), strlen($$1));
	exit(0);
}
