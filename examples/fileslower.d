#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fileslower.d - which reads and writes of files are slow?
 *
 * USAGE: fileslower.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints reads and writes of regular files that take at least as long as --min: what a program
 * waits for, also if the time is spent in the file system and not on a disk. OFFSET is that of the
 * call, or -1 if it goes on where the last one ended.
 *
 * EXAMPLES
 *    fileslower.d  10 ms and more, until ^C
 *    fileslower.d -m 1ms -n mysqld
 */
#pragma D param min,m time 10ms "only calls that take at least this long"
#pragma D param name,n string "only programs of this name"
#pragma D param file string "only paths that have this text"

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];

BEGIN
{
	printf("%-8s %7s %-15s %-9s %9s %12s %9s %s\n", "TIME", "PID", "PROGRAM", "CALL", "BYTES",
	    "OFFSET", "US", "FILE");
}

syscall::read:entry,
syscall::write:entry,
syscall::readv:entry,
syscall::writev:entry,
syscall::pread64:entry,
syscall::pwrite64:entry
/pid != $pid && ($name == "" || execname == $name)/
{
	self->start = timestamp;
	self->fd = arg0;
	self->offset = probefunc == "pread64" || probefunc == "pwrite64" ? arg3 : -1;
}

syscall::read:return,
syscall::write:return,
syscall::readv:return,
syscall::writev:return,
syscall::pread64:return,
syscall::pwrite64:return
/self->start && timestamp - self->start >= $min && arg1 >= 0 &&
    (FILE[self->fd]->f_inode->i_mode & 0170000) == 0100000 &&
    ($file == "" || strstr(fds[self->fd].fi_pathname, $file) != NULL)/
{
	printf("%-8s %7d %-15s %-9s %9d %12d %9d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, probefunc, arg1, self->offset, (timestamp - self->start) / 1000,
	    fds[self->fd].fi_pathname);
}

syscall::read:return,
syscall::write:return,
syscall::readv:return,
syscall::writev:return,
syscall::pread64:return,
syscall::pwrite64:return
/self->start/
{
	self->start = 0;
	self->fd = 0;
	self->offset = 0;
}
