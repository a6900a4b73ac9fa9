#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slowreads.d - which reads are slow: by which program, of which file, and how long?
 *
 * USAGE: slowreads.d [MILLISECONDS]
 *
 *    MILLISECONDS    print reads that take at least this long (default: 10; at least 1)
 *
 * Prints a line for each slow read. It may have waited for a disk, but also for a pipe, a socket
 * or a terminal. At the end: the distribution of the times of all reads, for the five programs
 * that spent the most time in them.
 *
 * EXAMPLES
 *    slowreads.d                 reads of 10 ms or more, until ^C
 *    slowreads.d 100             reads of 100 ms or more
 */
#pragma D option defaultargs

inline uint64_t LIMIT = ($1 ? $1 : 10) * 1000000;

BEGIN
{
	printf("%7s %-15s %-9s %4s %10s %8s %-8s %s\n",
	    "PID", "PROGRAM", "CALL", "FD", "BYTES", "MS", "FS", "FILE");
}

syscall::read:entry,
syscall::readv:entry,
syscall::pread64:entry,
syscall::preadv:entry
/pid != $pid/
{
	self->start = timestamp;
	self->fd = arg0;
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return
/self->start/
{
	this->ns = timestamp - self->start;
	@[execname] = quantize(this->ns / 1000);
}

/* Pipes and sockets are files without a path; the file system shows what they are. */
syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return
/self->start && this->ns >= LIMIT/
{
	printf("%7d %-15s %-9s %4d %10d %8d %-8s %s\n", pid, execname, probefunc, self->fd, arg1,
	    this->ns / 1000000, fds[self->fd].fi_fs, fds[self->fd].fi_pathname);
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return
/self->start/
{
	self->start = 0;
	self->fd = 0;
}

END
{
	printf("\nMicroseconds of all reads, for the programs that spent the most time in them:\n");
	trunc(@, 5);
	printa(@);
}
