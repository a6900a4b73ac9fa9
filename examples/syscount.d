#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscount.d - which system calls are made most, and which take the most time?
 *
 * USAGE: syscount.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Counts system calls, by call or by process, until ^C or until --duration is over. With --latency
 * a second table has their times: a call that waits for a terminal or a timer has its waiting time. dtx itself
 * is not counted.
 *
 * EXAMPLES
 *    syscount.d --duration 10s   ten seconds of the whole system
 *    syscount.d -P               by process
 *    syscount.d -L -p 1234       with times, of process 1234
 *    syscount.d -f               only calls that failed
 */
#pragma D param top,t int 20 "how many rows to show"
#pragma D param processes,P flag "by process, not by call"
#pragma D param latency,L flag "with the time spent in the calls"
#pragma D param failed,f flag "only calls that failed"
#pragma D option aggsortrev

syscall:::entry
/$latency && pid != $pid/
{
	self->start = timestamp;
}

syscall:::return
/!$processes && pid != $pid && (!$failed || errno)/
{
	@calls[probefunc] = count();
}

syscall:::return
/$processes && pid != $pid && (!$failed || errno)/
{
	@pcalls[pid, execname] = count();
}

syscall:::return
/self->start && !$processes && (!$failed || errno)/
{
	@time[probefunc] = sum(timestamp - self->start);
}

syscall:::return
/self->start && $processes && (!$failed || errno)/
{
	@ptime[pid, execname] = sum(timestamp - self->start);
}

syscall:::return
/self->start/
{
	self->start = 0;
}

END
/!$processes/
{
	trunc(@calls, $top);
	printf("%-24s %12s\n", "CALL", "COUNT");
	printa("%-24s %@12d\n", @calls);
}

END
/$processes/
{
	trunc(@pcalls, $top);
	printf("%7s %-16s %12s\n", "PID", "PROGRAM", "COUNT");
	printa("%7d %-16s %@12d\n", @pcalls);
}

END
/$latency && !$processes/
{
	trunc(@time, $top);
	normalize(@time, 1000);
	printf("\n%-24s %12s\n", "CALL", "TIME(us)");
	printa("%-24s %@12d\n", @time);
}

END
/$latency && $processes/
{
	trunc(@ptime, $top);
	normalize(@ptime, 1000);
	printf("\n%7s %-16s %12s\n", "PID", "PROGRAM", "TIME(us)");
	printa("%7d %-16s %@12d\n", @ptime);
}
