#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lifetimes.d - which programs are started, how long do they live, and how do they end?
 *
 * USAGE: lifetimes.d [NAME]
 *
 *    NAME    only programs of this name (default: all)
 *
 * Prints an "exec" line when a program starts and an "exit" line when a process ends, with its
 * status or the number of the signal that ended it. MS is the lifetime of the process, also if it
 * started before the script. At the end: how many processes ended, and their mean lifetime.
 *
 * EXAMPLES
 *    lifetimes.d                 all programs, until ^C
 *    lifetimes.d sh              only shells
 *    lifetimes.d -c 'make -j8'   all programs, while a command runs
 */
#pragma D option defaultargs

BEGIN
{
	printf("%-20s %-5s %7s %7s %-15s %10s %s\n",
	    "TIME", "EVENT", "PID", "PPID", "PROGRAM", "MS", "FILE, STATUS OR SIGNAL");
}

tracepoint:sched:sched_process_exec
/$$1 == "" || execname == $$1/
{
	printf("%Y %-5s %7d %7d %-15s %10s %s\n",
	    walltimestamp, "exec", pid, ppid, execname, "-", args.filename);
}

/* Every thread fires this probe. Only the first thread of a process is counted. */
tracepoint:sched:sched_process_exit
/pid == tid && ($$1 == "" || execname == $$1)/
{
	this->ms = (timestamp - curthread->start_time) / 1000000;
	this->signal = curthread->exit_code & 0x7f;
	printf("%Y %-5s %7d %7d %-15s %10d %s %d\n",
	    walltimestamp, "exit", pid, ppid, execname, this->ms,
	    this->signal ? "signal" : "status",
	    this->signal ? this->signal : curthread->exit_code >> 8);
	@ended[execname] = count();
	@mean[execname] = avg(this->ms);
}

END
{
	printf("\n%-15s %10s %10s\n", "PROGRAM", "ENDED", "MEAN MS");
	printa("%-15s %@10d %@10d\n", @ended, @mean);
}
