#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * errinfo.d - which system calls fail, in which program, and why?
 *
 * USAGE: errinfo.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Counts the failures of system calls by program, call and error, with the text of the error. Many
 * are harmless: a search path is tried, a socket has no data yet. What fails far more often than it
 * did yesterday is worth a look.
 *
 * EXAMPLES
 *    errinfo.d                   the whole system, until ^C
 *    errinfo.d -n httpd          only one program
 *    errinfo.d -e 13             only "permission denied"
 */
#pragma D param name,n string "only programs of this name"
#pragma D param error,e int 0 "only this error number"
#pragma D param top,t int 30 "how many rows to show"
#pragma D option aggsortrev

syscall:::return
/errno && (!$error || errno == $error) && ($name == "" || execname == $name) && pid != $pid/
{
	@[execname, probefunc, errno, strerror(errno)] = count();
}

END
{
	trunc(@, $top);
	printf("%-15s %-18s %5s %8s  %s\n", "PROGRAM", "CALL", "ERRNO", "COUNT", "ERROR");
	printa("%-15s %-18s %5d %@8d  %s\n", @);
}
