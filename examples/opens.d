#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opens.d - who is opening which files, and with what result?
 *
 * USAGE: opens.d [NAME]
 *
 *    NAME    only programs of this name (default: all)
 *
 * One line for each call of open, openat, openat2 or creat, when it returns. FD is the new
 * descriptor, or -1; ERR is the error number of a failed call (2 is "no such file"), or 0.
 *
 * EXAMPLES
 *    opens.d                     all opens, until ^C
 *    opens.d sshd                what sshd opens
 *    opens.d -c 'ls /etc'        … while a command runs
 */
#pragma D option defaultargs
/* open and creat are not on every architecture. */
#pragma D option zdefs

BEGIN
{
	printf("%7s %-15s %4s %4s %s\n", "PID", "PROGRAM", "FD", "ERR", "PATH");
}

/* At entry the page of the path may not be in memory yet, so only its address is kept. */
syscall::open:entry,
syscall::creat:entry
/$$1 == "" || execname == $$1/
{
	self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
/$$1 == "" || execname == $$1/
{
	self->path = arg1;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
	printf("%7d %-15s %4d %4d %s\n", pid, execname, errno ? -1 : (int)arg1, errno,
	    copyinstr(self->path));
}

/* A clause of its own: it also runs when the path could not be read above. */
syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
	self->path = 0;
}
