#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * opensnoop.d - which files are opened, by whom, and which opens fail?
 *
 * USAGE: opensnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when open, openat, openat2 or creat returns. FD is the new descriptor, -1 after a
 * failure; ERR is the error number. A relative path is shown as the program gave it. dtx
 * itself is not shown.
 *
 * EXAMPLES
 *    opensnoop.d                 all opens, until ^C
 *    opensnoop.d -f              only those that failed
 *    opensnoop.d -n sshd -w      only those of sshd, and only for writing
 */
#pragma D param name,n string "only programs of this name"
#pragma D param user,u int -1 "only this user number"
#pragma D param failed,f flag "only opens that failed"
#pragma D param file string "only paths that have this text"
#pragma D param write,w flag "only opens for writing"
/* Not every architecture has open and creat. */
#pragma D option zdefs

BEGIN
{
	printf("%-8s %5s %7s %-15s %4s %4s %s\n", "TIME", "UID", "PID", "PROGRAM", "FD", "ERR",
	    "PATH");
}

syscall::open:entry
/pid != $pid && ($name == "" || execname == $name) && ($user < 0 || uid == $user) &&
    (!$write || arg1 & 3)/
{
	self->path = arg0;
}

syscall::creat:entry
/pid != $pid && ($name == "" || execname == $name) && ($user < 0 || uid == $user)/
{
	self->path = arg0;
}

syscall::openat:entry
/pid != $pid && ($name == "" || execname == $name) && ($user < 0 || uid == $user) &&
    (!$write || arg2 & 3)/
{
	self->path = arg1;
}

/* The flags are the first member of a struct, which may not be in memory yet. */
syscall::openat2:entry
/pid != $pid && ($name == "" || execname == $name) && ($user < 0 || uid == $user) && !$write/
{
	self->path = arg1;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path && (!$failed || errno)/
{
	this->path = copyinstr(self->path);
	this->wanted = $file == "" || strstr(this->path, $file) != NULL;
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path && (!$failed || errno) && this->wanted/
{
	printf("%-8s %5d %7d %-15s %4d %4d %s\n", strftime("%H:%M:%S", walltimestamp), uid, pid,
	    execname, errno ? -1 : (int)arg1, errno, this->path);
}

syscall::open:return,
syscall::creat:return,
syscall::openat:return,
syscall::openat2:return
/self->path/
{
	self->path = 0;
}
