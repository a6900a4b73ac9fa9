#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filetop.d - which files are read and written most, and by whom?
 *
 * USAGE: filetop.d [OPTION]... [INTERVAL [COUNT]] [-p PID | -c COMMAND]
 *
 * Prints, in each interval, the files with the most bytes read and written by system calls: also
 * what the page cache answers, without a disk. Only regular files, unless --all is given.
 *
 * EXAMPLES
 *    filetop.d            each second, until ^C
 *    filetop.d -t 5 10 1  the top five of ten seconds
 *    filetop.d -a         pipes, sockets and devices, too
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D param all,a flag "not only regular files"
#pragma D param file string "only paths that have this text"
#pragma D option aggsortrev
#pragma D option aggtop=$top

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];
inline int WANTED[int fd] =
    ($all || (FILE[fd]->f_inode->i_mode & 0170000) == 0100000) &&
    ($file == "" || strstr(fds[fd].fi_pathname, $file) != NULL);

syscall::read:entry,
syscall::readv:entry,
syscall::pread64:entry,
syscall::preadv:entry,
syscall::write:entry,
syscall::writev:entry,
syscall::pwrite64:entry,
syscall::pwritev:entry
/pid != $pid/
{
	self->fd = arg0 + 1;
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return
/self->fd && arg1 > 0 && WANTED[self->fd - 1]/
{
	this->file = fds[self->fd - 1].fi_pathname;
	@all[pid, execname, this->file] = sum(arg1);
	@rbytes[pid, execname, this->file] = sum(arg1);
	@reads[pid, execname, this->file] = count();
}

syscall::write:return,
syscall::writev:return,
syscall::pwrite64:return,
syscall::pwritev:return
/self->fd && arg1 > 0 && WANTED[self->fd - 1]/
{
	this->file = fds[self->fd - 1].fi_pathname;
	@all[pid, execname, this->file] = sum(arg1);
	@wbytes[pid, execname, this->file] = sum(arg1);
	@writes[pid, execname, this->file] = count();
}

syscall::read:return,
syscall::readv:return,
syscall::pread64:return,
syscall::preadv:return,
syscall::write:return,
syscall::writev:return,
syscall::pwrite64:return,
syscall::pwritev:return
{
	self->fd = 0;
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%7s %-15s %10s %8s %8s %10s %10s %s\n", strftime("%H:%M:%S", walltimestamp),
	    "PID", "PROGRAM", "BYTES", "READS", "WRITES", "RBYTES", "WBYTES", "FILE");
	printa("%7d %-15s %@10d %@8d %@8d %@10d %@10d %s\n", @all, @reads, @writes, @rbytes,
	    @wbytes);
	trunc(@all);
	trunc(@reads);
	trunc(@writes);
	trunc(@rbytes);
	trunc(@wbytes);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
