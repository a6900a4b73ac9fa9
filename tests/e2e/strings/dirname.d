/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.dirname
/* dirname: the directory part; without a slash ".", of the root "/". */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", dirname("/usr/lib"));
	printf("[%s]\n", dirname("/usr/"));
	printf("[%s]\n", dirname("usr"));
	printf("[%s]\n", dirname("/"));
	printf("[%s]\n", dirname("//"));
	printf("[%s]\n", dirname(""));
	printf("[%s]\n", dirname("."));
	printf("[%s]\n", dirname(".."));
	printf("[%s]\n", dirname("/usr/lib/"));
	printf("[%s]\n", dirname("a/b/c"));
	printf("[%s]\n", dirname("/a"));
	exit(0);
}
