#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shellsnoop.d - which shells are started, by which program, and with which command?
 *
 * USAGE: shellsnoop.d [OPTION]...
 *
 * Prints a line when sh, bash, dash, zsh, ksh, csh, tcsh, fish or busybox starts. PARENT is the
 * program that started it: a web server or a database that starts a shell is worth a look. TTY is
 * "yes" if its standard input is a terminal.
 *
 * EXAMPLES
 *    shellsnoop.d                all shells, until ^C
 *    shellsnoop.d -P httpd       only those that one program starts
 */
#pragma D param parent,P string "only shells that this program starts"

inline struct file *INPUT = curthread->files->fdt->fd[0];

BEGIN
{
	printf("%-8s %5s %7s %-15s %-3s %s\n", "TIME", "UID", "PID", "PARENT", "TTY", "ARGS");
}

proc:::exec-success
/(execname == "sh" || execname == "bash" || execname == "dash" || execname == "zsh" ||
    execname == "ksh" || execname == "csh" || execname == "tcsh" || execname == "fish" ||
    execname == "busybox") && ($parent == "" || pcomm == $parent)/
{
	/* The devices of terminals have the numbers 4, 5 and 136 to 143. */
	this->major = INPUT == NULL ? 0 : INPUT->f_inode->i_rdev >> 20;
	printf("%-8s %5d %7d %-15s %-3s %s\n", strftime("%H:%M:%S", walltimestamp), uid, pid, pcomm,
	    this->major == 4 || this->major == 5 || (this->major >= 136 && this->major < 144) ?
	    "yes" : "no", execargs);
}
