#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pidpersec.d - how many processes are made in each second?
 *
 * USAGE: pidpersec.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Prints the number of new processes, and of threads that are no processes, in each interval. Many
 * short processes cost much time that no list of processes shows. At the end: who made them.
 *
 * EXAMPLES
 *    pidpersec.d       each second, until ^C
 *    pidpersec.d 10 6  six times ten seconds
 */
#pragma D param interval,i time 1s "time between two lines"
#pragma D param count int 0 "end after this many lines"

BEGIN
{
	printf("%-8s %9s %9s\n", "TIME", "PROCESSES", "THREADS");
}

proc:::create
{
	@processes = sum(1);
	@made[execname] = count();
}

proc:::lwp-create
{
	@threads = sum(1);
}

proc:::create
{
	@threads = sum(-1);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	@processes = sum(0);
	@threads = sum(0);
	printf("%-8s", strftime("%H:%M:%S", walltimestamp));
	printa(" %@9d %@9d\n", @processes, @threads);
	trunc(@processes);
	trunc(@threads);
}

tick-$interval
/lines == $count/
{
	exit(0);
}

END
{
	trunc(@made, 10);
	printf("\n%-15s %9s\n", "MADE BY", "PROCESSES");
	printa("%-15s %@9d\n", @made);
}
