/* SPDX-License-Identifier: BSD-2-Clause */
/* Any other operand is a string; its quotes go and its escapes count. */
/* args: /usr/lib "q\tq" a\nb */
#pragma D option quiet
BEGIN
{
	printf("[%s] [%s] [%s]\n", $1, $2, $$3);
	printf("%d\n", strlen($2));
	exit(0);
}
