/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.pid var.ppid var.gid var.probename
/* What the built-ins say in BEGIN. */
#pragma D option quiet
BEGIN
{
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
	printf("%d %d %d\n", pid == $pid, uid == $uid, errno);
	printf("%d %d\n", gid == $gid, ppid == $ppid);
	exit(0);
}
END { printf("%s:%s\n", probeprov, probename); }
