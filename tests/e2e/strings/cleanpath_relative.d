/* SPDX-License-Identifier: BSD-2-Clause */
/* cleanpath keeps the leading .. of relative paths; a path that cancels is "."; an empty one stays so. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", cleanpath("../a"));
	printf("[%s]\n", cleanpath("../../a/b"));
	printf("[%s]\n", cleanpath("a/.."));
	printf("[%s]\n", cleanpath("a/b/../c"));
	printf("[%s]\n", cleanpath("a/./b"));
	printf("[%s]\n", cleanpath(""));
	printf("[%s]\n", cleanpath("a/b/../.."));
	exit(0);
}
