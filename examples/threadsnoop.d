#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threadsnoop.d - which programs start threads, and with which function?
 *
 * USAGE: threadsnoop.d [OPTION]...
 *
 * Prints a line for each call of pthread_create in the C library. FUNCTION is the start function;
 * it has no name if the program is stripped.
 *
 * EXAMPLES
 *    threadsnoop.d               all programs, until ^C
 *    threadsnoop.d -n mysqld     only those of one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param library,l string libc "the C library: a name or a path"

BEGIN
{
	printf("%-8s %7s %-15s %s\n", "TIME", "PID", "PROGRAM", "FUNCTION");
}

uprobe:$library:pthread_create:entry
/$name == "" || execname == $name/
{
	printf("%-8s %7d %-15s %A\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    usym(arg2));
}
