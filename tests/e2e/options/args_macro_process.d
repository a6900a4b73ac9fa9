/* SPDX-License-Identifier: BSD-2-Clause */
// row: macro.pid
/* The variables of the tracing process. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d\n", $pid == pid, $ppid == ppid, $uid == uid);
	printf("%d %d\n", $euid, $target);
	printf("%d %d\n", $pgid > 0, $sid >= 0);
	printf("%d\n", strlen($$pid) > 0);
	exit(0);
}
