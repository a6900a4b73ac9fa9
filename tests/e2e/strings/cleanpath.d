/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.cleanpath
/* cleanpath removes duplicate slashes, "/./", "/../" and a trailing slash. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", cleanpath("/a//b"));
	printf("[%s]\n", cleanpath("/a/./b"));
	printf("[%s]\n", cleanpath("/a/../b"));
	printf("[%s]\n", cleanpath("/a/b/"));
	printf("[%s]\n", cleanpath("//a///b//"));
	printf("[%s]\n", cleanpath("/a/b/../../c"));
	printf("[%s]\n", cleanpath("/a/b/.."));
	printf("[%s]\n", cleanpath("/"));
	printf("[%s]\n", cleanpath("/usr/lib"));
	exit(0);
}
