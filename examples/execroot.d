#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * execroot.d - which programs are started with the rights of user 0, by whom, and why?
 *
 * USAGE: execroot.d [OPTION]...
 *
 * Prints a line when a program starts whose effective user is 0. HOW is "setuid" if the user who
 * started it is another one (sudo, su, passwd), "root" if it was user 0 already.
 *
 * EXAMPLES
 *    execroot.d                  all, until ^C
 *    execroot.d -s               only those that get the rights by the setuid bit
 */
#pragma D param setuid,s flag "only programs that get the rights by the setuid bit"

BEGIN
{
	printf("%-8s %7s %7s %5s %-6s %-15s %s\n", "TIME", "PID", "PPID", "UID", "HOW", "PROGRAM",
	    "ARGS");
}

proc:::exec-success
/curthread->cred->euid.val == 0 && (!$setuid || uid)/
{
	printf("%-8s %7d %7d %5d %-6s %-15s %s\n", strftime("%H:%M:%S", walltimestamp), pid, ppid,
	    uid, uid ? "setuid" : "root", execname, execargs);
}
