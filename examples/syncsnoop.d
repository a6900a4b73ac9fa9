#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syncsnoop.d - who forces data to the disk, and how long does it take?
 *
 * USAGE: syncsnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when sync, syncfs, fsync, fdatasync, msync or sync_file_range returns. FILE is the
 * file of the calls that name one. At the end: the distribution of the times by call.
 *
 * EXAMPLES
 *    syncsnoop.d                 all, until ^C
 *    syncsnoop.d -m 10ms         only those of 10 ms and more
 */
#pragma D param name,n string "only programs of this name"
#pragma D param min,m time 0 "only calls that take at least this long"

BEGIN
{
	printf("%-8s %7s %-15s %-15s %4s %9s %s\n", "TIME", "PID", "PROGRAM", "CALL", "ERR", "US",
	    "FILE");
}

syscall::sync:entry,
syscall::syncfs:entry,
syscall::fsync:entry,
syscall::fdatasync:entry,
syscall::msync:entry,
syscall::sync_file_range:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->fd = probefunc == "sync" || probefunc == "msync" ? -1 : (int)arg0;
}

syscall::sync:return,
syscall::syncfs:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::msync:return,
syscall::sync_file_range:return
/self->start/
{
	this->ns = timestamp - self->start;
	@[probefunc] = quantize(this->ns / 1000);
}

syscall::sync:return,
syscall::syncfs:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::msync:return,
syscall::sync_file_range:return
/self->start && this->ns >= $min/
{
	printf("%-8s %7d %-15s %-15s %4d %9d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, probefunc, errno, this->ns / 1000,
	    self->fd < 0 ? "-" : fds[self->fd].fi_pathname);
}

syscall::sync:return,
syscall::syncfs:return,
syscall::fsync:return,
syscall::fdatasync:return,
syscall::msync:return,
syscall::sync_file_range:return
/self->start/
{
	self->start = 0;
	self->fd = 0;
}

END
{
	printf("\nMicroseconds, by call:\n");
	printa(@);
}
