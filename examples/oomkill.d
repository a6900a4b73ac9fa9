#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * oomkill.d - which process is killed because memory is out, and who wanted the memory?
 *
 * USAGE: oomkill.d [OPTION]...
 *
 * Prints a line when the kernel chooses a victim: for the whole machine, or for a control group
 * that has reached its limit. WANTED BY is the program that asked for memory at that moment; it
 * need not be the one that uses most.
 *
 * EXAMPLES
 *    oomkill.d                   until ^C
 */
BEGIN
{
	printf("%-8s %7s %-15s %7s\n", "TIME", "PID", "WANTED BY", "VICTIM");
}

tracepoint:oom:mark_victim
{
	printf("%-8s %7d %-15s %7d\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    args.pid);
}
