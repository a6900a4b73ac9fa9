/* SPDX-License-Identifier: BSD-2-Clause */
// row: macro.1 lang.2.9
/* $1 by its text, $$1 always a string. */
/* args: 42 word */
#pragma D option quiet
BEGIN
{
	printf("%d %s %s\n", $1, $$1, $$2);
	exit(0);
}
