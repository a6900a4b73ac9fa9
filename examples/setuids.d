#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * setuids.d - which programs change the user that they run as?
 *
 * USAGE: setuids.d [OPTION]...
 *
 * Prints a line for each call of setuid, setreuid, setresuid and setfsuid: the user before, the
 * numbers that were asked for (real, effective, saved; -1 leaves one as it is), and the error.
 *
 * EXAMPLES
 *    setuids.d                   all programs, until ^C
 *    setuids.d -r                only those that ask for user 0
 */
#pragma D param root,r flag "only calls that ask for user 0"

BEGIN
{
	printf("%-8s %7s %-15s %5s %-9s %6s %6s %6s %3s\n", "TIME", "PID", "PROGRAM", "UID", "CALL",
	    "RUID", "EUID", "SUID", "ERR");
}

syscall::setuid:entry,
syscall::setreuid:entry,
syscall::setresuid:entry,
syscall::setfsuid:entry
{
	self->seen = 1;
	self->before = uid;
	self->r = probefunc == "setfsuid" ? -1 : (int)arg0;
	self->e = probefunc == "setuid" || probefunc == "setfsuid" ? (int)arg0 : (int)arg1;
	self->s = probefunc == "setresuid" ? (int)arg2 : -1;
}

syscall::setuid:return,
syscall::setreuid:return,
syscall::setresuid:return,
syscall::setfsuid:return
/self->seen && (!$root || !self->r || !self->e || !self->s)/
{
	printf("%-8s %7d %-15s %5d %-9s %6d %6d %6d %3d\n", strftime("%H:%M:%S", walltimestamp),
	    pid, execname, self->before, probefunc, self->r, self->e, self->s, errno);
}

syscall::setuid:return,
syscall::setreuid:return,
syscall::setresuid:return,
syscall::setfsuid:return
{
	self->seen = 0;
	self->before = 0;
	self->r = 0;
	self->e = 0;
	self->s = 0;
}
