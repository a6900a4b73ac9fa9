/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.C
/* %C escapes what cannot be printed. */
#pragma D option quiet
BEGIN
{
	printf("[%C][%C][%C][%C]\n", 'A', '\n', '\t', 1);
	exit(0);
}
