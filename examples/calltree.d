#!/usr/bin/dtx -Fs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calltree.d - what does the kernel do in one system call: which functions, in which order?
 *
 * USAGE: calltree.d CALL FUNCTIONS [-c COMMAND | -p PID]
 *
 *    CALL         the system call; the script shows the first one and ends
 *    FUNCTIONS    a pattern of the kernel functions to show, in quotes: 'vfs_*', '*read*'
 *
 * -F indents each function below its caller: "->" is where it is entered, "<-" where it returns;
 * "=>" and "<=" are the system call. The number after "<-" is the time since the call began, in
 * nanoseconds. Needs probes on kernel functions. A narrower pattern attaches them faster.
 *
 * EXAMPLES
 *    calltree.d openat '*open*' -c 'cat /etc/hostname'
 *    calltree.d read '*read*' -p 1234
 */

syscall::$1:entry
/($target ? pid == $target : pid != $pid) && !busy++/
{
	self->start = timestamp;
	trace(execname);
}

fbt:vmlinux:$2:entry
/self->start/
{
}

fbt:vmlinux:$2:return
/self->start/
{
	trace(timestamp - self->start);
}

syscall::$1:return
/self->start/
{
	trace(timestamp - self->start);
	exit(0);
}
