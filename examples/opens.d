#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opens.d - who is opening which files, and with what result?
 *
 * USAGE: opens.d [NAME]
 *
 *    NAME    only programs of this name (default: all)
 *
 * Prints a line when open, openat, openat2 or creat returns. FD is the new descriptor, or -1. ERR
 * is the error number of a failed call (2 is "no such file"), or 0. dtx itself is not shown.
 *
 * EXAMPLES
 *    opens.d                     all opens, until ^C
 *    opens.d sshd                only the opens of sshd
 *    opens.d -c 'ls /etc'        all opens, while a command runs
 */
#pragma D option defaultargs
/* Not every architecture has open and creat. */
#pragma D option zdefs

BEGIN
{
	printf("%7s %-15s %4s %4s %s\n", "PID", "PROGRAM", "FD", "ERR", "PATH");
}

/* At entry the page of the path may not be in memory yet, so only its address is stored. */
syscall::open:entry,
syscall::creat:entry
/pid != $pid && ($$1 == "" || execname == $$1)/
{
	self->path = arg0;
}

syscall::openat:entry,
syscall::openat2:entry
/pid != $pid && ($$1 == "" || execname == $$1)/
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

/* A separate clause, so that it also runs if the path could not be read above. */
syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
	self->path = 0;
}
