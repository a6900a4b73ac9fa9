/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.curpsinfo var.curlwpsinfo names.process
/* curpsinfo and curlwpsinfo of the library. */
/* needs: btf */
#pragma D option quiet
BEGIN
{
	printf("%d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid);
	printf("%d %d\n", curpsinfo->pr_uid == uid, curlwpsinfo->pr_lwpid == tid);
	printf("%d\n", stringof(curpsinfo->pr_fname) == execname);
	exit(0);
}
