/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* trigger: syscalls 2 */
/* Linux's spellings of probes and variables beside D's own. */
tracepoint:syscalls:sys_enter_getppid
/pid == $target/
{
	@["tracepoint", comm] = count();
}

rawtracepoint:sys_enter
/pid == $target && arg1 == 110/
{
	@["rawtracepoint", execname] = count();
}

syscall::getppid:entry
/pid == $target/
{
	@["syscall", comm] = count();
}
