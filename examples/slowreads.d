#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slowreads.d - which reads are slow: whose, of what, for how long?
 *
 * USAGE: slowreads.d [MILLISECONDS]
 *
 *    MILLISECONDS    what "slow" is (default: 10; 1 and more)
 *
 * A line for each read that takes so long or longer: what it waited for can be a disk, but also
 * a pipe, a socket or a terminal. At the end, how long all reads took
 * of the five programs that spent the most time in them.
 *
 * EXAMPLES
 *    slowreads.d                 reads of 10 ms and more, until ^C
 *    slowreads.d 100             … of 100 ms and more
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

/* Pipes and sockets are files without a path: their file system says what they are. */
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
