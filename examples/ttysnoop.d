#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ttysnoop.d - what is written to a terminal?
 *
 * USAGE: ttysnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints what programs write to a terminal, as it appears there; with -l a line for each write,
 * with its program. It shows what others see: use it where you may. Passwords that are typed are
 * not echoed, and so are not in it.
 *
 * EXAMPLES
 *    ttysnoop.d --tty pts/2      one terminal
 *    ttysnoop.d -l               all of them, who writes what
 */
#pragma D param tty string "the terminal, as in pts/2; without it all"
#pragma D param name,n string "only programs of this name"
#pragma D param lines,l flag "a line for each write"
#pragma D option strsize=512

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];

/* Terminals are character devices of the major numbers 4 (tty1), 5 (tty) and 136 to 143 (pts). */
inline int MAJOR = FILE[arg0]->f_inode->i_rdev >> 20;
inline string PATH = fds[arg0].fi_pathname;

BEGIN
/$lines/
{
	printf("%-8s %7s %-15s %-12s %s\n", "TIME", "PID", "PROGRAM", "TERMINAL", "TEXT");
}

syscall::write:entry
/pid != $pid && ($name == "" || execname == $name) &&
    fds[arg0].fi_oflags && (FILE[arg0]->f_inode->i_mode & 0xf000) == 0x2000 &&
    (MAJOR == 4 || MAJOR == 5 || (MAJOR >= 136 && MAJOR < 144)) &&
    ($tty == "" || PATH == strjoin("/dev/", $tty))/
{
	self->text = arg1;
	self->path = PATH;
}

syscall::write:return
/self->text && arg1 > 0 && !$lines/
{
	printf("%s", copyinstr(self->text, arg1 + 1));
}

syscall::write:return
/self->text && arg1 > 0 && $lines/
{
	printf("%-8s %7d %-15s %-12s %S\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    substr(self->path, 5), copyinstr(self->text, arg1 + 1));
}

syscall::write:return
{
	self->text = 0;
	self->path = 0;
}
