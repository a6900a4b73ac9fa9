#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * statsnoop.d - which programs ask for the attributes of which files?
 *
 * USAGE: statsnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when stat, lstat, newfstatat, statx or statfs returns. ERR is the error number.
 * Calls that ask for an open descriptor have no path and are not shown. Many failures in a row
 * show a search along a path.
 *
 * EXAMPLES
 *    statsnoop.d                 all, until ^C
 *    statsnoop.d -f              only those that failed
 */
#pragma D param name,n string "only programs of this name"
#pragma D param failed,f flag "only calls that failed"
#pragma D param file string "only paths that have this text"
/* Not every architecture has stat and lstat. */
#pragma D option zdefs

BEGIN
{
	printf("%-8s %7s %-15s %-10s %4s %s\n", "TIME", "PID", "PROGRAM", "CALL", "ERR", "PATH");
}

syscall::stat:entry,
syscall::lstat:entry,
syscall::statfs:entry
/$name == "" || execname == $name/
{
	self->path = arg0;
}

syscall::newfstatat:entry,
syscall::statx:entry
/$name == "" || execname == $name/
{
	self->path = arg1;
}

syscall::stat:return,
syscall::lstat:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::statfs:return
/self->path && (!$failed || errno)/
{
	this->path = copyinstr(self->path);
	this->wanted = this->path != "" && ($file == "" || strstr(this->path, $file) != NULL);
}

syscall::stat:return,
syscall::lstat:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::statfs:return
/self->path && (!$failed || errno) && this->wanted/
{
	printf("%-8s %7d %-15s %-10s %4d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, probefunc, errno, this->path);
}

syscall::stat:return,
syscall::lstat:return,
syscall::newfstatat:return,
syscall::statx:return,
syscall::statfs:return
/self->path/
{
	self->path = 0;
}
