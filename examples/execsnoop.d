#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * execsnoop.d - which programs are started, by whom, and with which arguments?
 *
 * USAGE: execsnoop.d [OPTION]...
 *
 * Prints a line when a new program is in place in a process. A shell's own commands start no
 * program, and a process that only forks does not either. With --failed it prints also what could
 * not be started: RET is then the error number, and ARGS is the path that was asked for.
 *
 * EXAMPLES
 *    execsnoop.d                 all programs, until ^C
 *    execsnoop.d -n sh           only shells
 *    execsnoop.d -f -u 1000      also those that cannot be started; only those of user 1000
 */
#pragma D param name,n string "only programs of this name"
#pragma D param user,u int -1 "only the programs of this user number"
#pragma D param failed,f flag "show also what could not be started"

BEGIN
{
	printf("%-8s %5s %7s %7s %3s %-15s %s\n", "TIME", "UID", "PID", "PPID", "RET", "PROGRAM",
	    "ARGS");
}

proc:::exec-success
/($name == "" || execname == $name) && ($user < 0 || uid == $user)/
{
	printf("%-8s %5d %7d %7d %3d %-15s %s\n", strftime("%H:%M:%S", walltimestamp), uid, pid,
	    ppid, 0, execname, execargs);
}

/* The page of the path may not be in memory at the entry, so it is read at the return. */
syscall::execve:entry
/$failed && ($user < 0 || uid == $user)/
{
	self->path = arg0;
}

syscall::execve:return
/self->path && errno/
{
	this->path = copyinstr(self->path);
}

syscall::execve:return
/self->path && errno && ($name == "" || basename(this->path) == $name)/
{
	printf("%-8s %5d %7d %7d %3d %-15s %s\n", strftime("%H:%M:%S", walltimestamp), uid, pid,
	    ppid, errno, execname, this->path);
}

syscall::execve:return
/self->path/
{
	self->path = 0;
}
