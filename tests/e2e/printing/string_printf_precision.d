/* SPDX-License-Identifier: BSD-2-Clause */
/* Width and precision of %s. */
#pragma D option quiet
BEGIN
{
	printf("[%5s][%-5s][%.2s]\n", "abc", "abc", "abc");
	printf("[%5.2s][%-5.2s][%.9s][%2s]\n", "abc", "abc", "abc", "abc");
	printf("[%.0s][%s]\n", "abc", "");
	printf("[%*s][%-*s][%.*s]\n", 5, "abc", 5, "abc", 1, "abc");
	exit(0);
}
