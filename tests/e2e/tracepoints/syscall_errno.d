/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.errno
/* errno and the return value in syscall return probes. */
/* trigger: syscalls 1 */
#pragma D option quiet
syscall::read:return
/pid == $target && arg1 < 0/
{
	@[probefunc, errno, (int)arg0] = count();
}
