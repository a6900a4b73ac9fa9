#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bashreadline.d - which commands are typed into the shells of this machine?
 *
 * USAGE: bashreadline.d [OPTION]...
 *
 * Prints each line that an interactive bash has read, with the user and the shell. Commands of
 * scripts are not typed: see execsnoop.d.
 *
 * EXAMPLES
 *    bashreadline.d                      all shells, until ^C
 *    bashreadline.d -s /usr/local/bin/bash
 */
#pragma D param shell,s string "/bin/bash" "path of the shell, or of the library with readline"

BEGIN
{
	printf("%-8s %5s %7s %s\n", "TIME", "UID", "PID", "COMMAND");
}

/* The result is the line, or NULL at the end of the input. */
uprobe:$shell:readline:return
/arg1/
{
	printf("%-8s %5d %7d %s\n", strftime("%H:%M:%S", walltimestamp), uid, pid,
	    copyinstr(arg1));
}
