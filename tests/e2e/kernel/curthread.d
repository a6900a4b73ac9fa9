/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.curthread
/* Members of the current thread through kernel types. */
/* needs: btf */
#pragma D option quiet
BEGIN
{
	printf("%d %d\n", curthread->pid == tid, curthread->tgid == pid);
	printf("%d\n", curthread->real_parent->tgid == ppid);
	printf("%d\n", ((struct task_struct *)curthread)->mm != 0);
	exit(0);
}
BEGIN /curthread->flags & 0x200000/ { printf("never\n"); }
