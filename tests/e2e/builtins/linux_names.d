// SPDX-License-Identifier: BSD-2-Clause
// Names of other tracers for what D says otherwise.
#pragma D option quiet
BEGIN
{
	printf("%d %d %d\n", ncpus > cpu, pcomm == curthread->real_parent->comm, leader_tid == pid);
	printf("%s %d %d %d\n", str_concat("a", "b"), strncmp("ab", "ac", 1), strncmp("ab", "ac", 2), strcontains("abc", "bc"));
	@ = count();
	print(@);
	exit(0);
}
