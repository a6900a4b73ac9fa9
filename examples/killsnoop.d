#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * killsnoop.d - who sends signals with kill and its like, to whom, and is it allowed?
 *
 * USAGE: killsnoop.d [OPTION]...
 *
 * Prints a line for each call of kill, tkill and tgkill. ERR is the error number of the call, 0 if
 * it succeeded; a signal 0 only asks whether the process exists. A target below 0 is a group of
 * processes. Signals that the kernel sends (SIGSEGV, SIGCHLD) are in signals.d.
 *
 * EXAMPLES
 *    killsnoop.d                 all, until ^C
 *    killsnoop.d -s 9            only SIGKILL
 *    killsnoop.d -f              only calls that failed
 */
#pragma D param signal,s int -1 "only this signal"
#pragma D param name,n string "only senders of this name"
#pragma D param failed,f flag "only calls that failed"

BEGIN
{
	printf("%-8s %7s %-15s %-7s %6s %7s %s\n", "TIME", "PID", "PROGRAM", "CALL", "SIGNAL",
	    "TARGET", "ERR");
}

syscall::kill:entry,
syscall::tkill:entry
/($signal < 0 || (int)arg1 == $signal) && ($name == "" || execname == $name)/
{
	self->seen = 1;
	self->target = (int)arg0;
	self->signal = (int)arg1;
}

syscall::tgkill:entry
/($signal < 0 || (int)arg2 == $signal) && ($name == "" || execname == $name)/
{
	self->seen = 1;
	self->target = (int)arg1;
	self->signal = (int)arg2;
}

syscall::kill:return,
syscall::tkill:return,
syscall::tgkill:return
/self->seen && (!$failed || errno)/
{
	printf("%-8s %7d %-15s %-7s %6d %7d %d\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, probefunc, self->signal, self->target, errno);
}

syscall::kill:return,
syscall::tkill:return,
syscall::tgkill:return
/self->seen/
{
	self->seen = 0;
	self->target = 0;
	self->signal = 0;
}
