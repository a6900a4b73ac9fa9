/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.basename
/* basename as the shell's: trailing slashes go, the last component stays. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", basename("/usr/lib"));
	printf("[%s]\n", basename("/usr/"));
	printf("[%s]\n", basename("usr"));
	printf("[%s]\n", basename("/"));
	printf("[%s]\n", basename("//"));
	printf("[%s]\n", basename(""));
	printf("[%s]\n", basename("."));
	printf("[%s]\n", basename(".."));
	printf("[%s]\n", basename("a//b//"));
	printf("[%s]\n", basename("/a"));
	exit(0);
}
