/* SPDX-License-Identifier: BSD-2-Clause */
/* There is nothing above the root. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", cleanpath("/.."));
	printf("[%s]\n", cleanpath("/../a"));
	printf("[%s]\n", cleanpath("/../../a/.."));
	exit(0);
}
