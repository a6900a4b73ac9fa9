#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ttysnoop.d - what is written to a terminal?
 *
 * USAGE: ttysnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints what programs write to a terminal, as it appears there; with -l a line for each write,
 * with its program. It sees what write and writev write; a text that is longer than strsize is
 * cut, and this is said. It shows what others see: use it where you may. Passwords that are typed
 * are not echoed, and so are not in it.
 *
 * EXAMPLES
 *    ttysnoop.d --tty pts/2      one terminal
 *    ttysnoop.d -l               all of them, who writes what
 */
#pragma D param tty string "the terminal, as in pts/2; without it all"
#pragma D param name,n string "only programs of this name"
#pragma D param lines,l flag "a line for each write"
#pragma D option strsize=4k

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];

/* Terminals are character devices of the major numbers 4 (tty1), 5 (tty) and 136 to 143 (pts). */
inline int MAJOR = FILE[arg0]->f_inode->i_rdev >> 20;
inline string PATH = fds[arg0].fi_pathname;

BEGIN
/$lines/
{
	printf("%-8s %7s %-15s %-12s %s\n", "TIME", "PID", "PROGRAM", "TERMINAL", "TEXT");
}

syscall::write:entry,
syscall::writev:entry
/pid != $pid && ($name == "" || execname == $name) &&
    fds[arg0].fi_oflags && (FILE[arg0]->f_inode->i_mode & 0xf000) == 0x2000 &&
    (MAJOR == 4 || MAJOR == 5 || (MAJOR >= 136 && MAJOR < 144)) &&
    ($tty == "" || PATH == strjoin("/dev/", $tty))/
{
	self->text = arg1;
	self->path = PATH;
}

syscall::write:return
/self->text && arg1 > 0/
{
	this->from = self->text;
	this->here = arg1;
}

/* Where a piece ends the next one begins. */
syscall::writev:return
/self->text && arg1 > 0/
{
	this->here = 0;
}

/* A string ends at a byte of 0, which a terminal does not show: what is behind it follows. */
syscall::write:return,
syscall::writev:return
/self->text && arg1 > 0/
{
	this->all = "";
	this->piece = self->text;
	this->left = arg1;
	for (this->i = 0; this->i < 250 && this->left > 0; this->i++) {
		if (this->here <= 0) {
			this->iov = (struct iovec *)copyin(this->piece, sizeof(struct iovec));
			this->piece += sizeof(struct iovec);
			this->from = (uintptr_t)this->iov->iov_base;
			this->here = this->iov->iov_len;
			if (this->here > this->left)
				this->here = this->left;
		} else {
			this->s = copyinstr(this->from, this->here + 1);
			this->all = strjoin(this->all, this->s);
			this->n = strlen(this->s);
			/* It does not fit into a string. */
			if (this->n < this->here && *(char *)copyin(this->from + this->n, 1))
				break;
			this->n += this->n < this->here;
			this->from += this->n;
			this->here -= this->n;
			this->left -= this->n;
		}
	}
}

syscall::write:return,
syscall::writev:return
/self->text && arg1 > 0 && !$lines/
{
	printf("%s", this->all);
}

syscall::write:return,
syscall::writev:return
/self->text && arg1 > 0 && $lines/
{
	printf("%-8s %7d %-15s %-12s %S\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    substr(self->path, 5), this->all);
}

syscall::write:return,
syscall::writev:return
{
	self->text = 0;
	self->path = 0;
}
