#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filegone.d - why is a file gone: who removed or renamed it?
 *
 * USAGE: filegone.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when unlink, unlinkat, rmdir, rename, renameat or renameat2 returns. Paths are
 * shown as the program gave them; ERR is the error number, 0 if the file is gone. NEW is the new
 * name of a file that was renamed; a file that had this name before is gone as well.
 *
 * EXAMPLES
 *    filegone.d                  all, until ^C
 *    filegone.d --file core      only paths that have this text
 *    filegone.d -f               also calls that failed
 */
#pragma D param name,n string "only programs of this name"
#pragma D param file string "only paths that have this text"
#pragma D param failed,f flag "also calls that failed"

BEGIN
{
	printf("%-8s %7s %-15s %-9s %3s %s\n", "TIME", "PID", "PROGRAM", "CALL", "ERR",
	    "FILE [-> NEW]");
}

syscall::unlink:entry,
syscall::rmdir:entry,
syscall::rename:entry
/$name == "" || execname == $name/
{
	self->from = arg0;
	self->to = probefunc == "rename" ? arg1 : 0;
}

syscall::unlinkat:entry,
syscall::renameat:entry,
syscall::renameat2:entry
/$name == "" || execname == $name/
{
	self->from = arg1;
	self->to = probefunc == "unlinkat" ? 0 : arg3;
}

/* The text is in memory now: the kernel has read it. */
syscall::unlink:return,
syscall::rmdir:return,
syscall::rename:return,
syscall::unlinkat:return,
syscall::renameat:return,
syscall::renameat2:return
/self->from && (!errno || $failed)/
{
	this->from = copyinstr(self->from);
	this->to = self->to ? copyinstr(self->to) : "";
	this->wanted = $file == "" || strstr(this->from, $file) != NULL ||
	    strstr(this->to, $file) != NULL;
}

syscall::unlink:return,
syscall::rmdir:return,
syscall::rename:return,
syscall::unlinkat:return,
syscall::renameat:return,
syscall::renameat2:return
/self->from && this->wanted/
{
	printf("%-8s %7d %-15s %-9s %3d %s%s%s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, probefunc, errno, this->from, self->to ? " -> " : "", this->to);
}

syscall::unlink:return,
syscall::rmdir:return,
syscall::rename:return,
syscall::unlinkat:return,
syscall::renameat:return,
syscall::renameat2:return
{
	self->from = 0;
	self->to = 0;
}
