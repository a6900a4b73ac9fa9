// SPDX-License-Identifier: BSD-2-Clause
// row: builtins.__cgroup
// Names that stand for others: the same values, keys, actions.
#pragma D option quiet
BEGIN
{
	printf("%d %d %d %s\n", comm == execname, nsecs == timestamp, curtask == curthread, probetype);
	printf("%d %s\n", cgroup == __cgroup, str_concat("one ", "word"));
	@k[ksym((uintptr_t)&`vfs_read)] = count();
	printa("%a %@d\n", @k);
	zero(@k);
	printa("%a %@d\n", @k);
	@s[kstack] = count();
	@s[stack()] = count();
	printa("%@d\n", @s);
	exit(0);
}
