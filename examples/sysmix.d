#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysmix.d - which system calls does each program make, how many fail, and how long do they take?
 *
 * USAGE: sysmix.d [SECONDS]
 *
 *    SECONDS    how long to run (default: until ^C or until the command of -c ends)
 *
 * With -c or -p it traces only that process, otherwise all processes except itself. TIME is the
 * sum of the times of all calls in microseconds, including the time they waited.
 *
 * EXAMPLES
 *    sysmix.d 5                  five seconds of the whole system
 *    sysmix.d -p 1234            process 1234, until ^C
 *    sysmix.d -c 'find /etc'     a command
 */
#pragma D option defaultargs
#pragma D option aggsortrev

syscall:::entry
/$target ? pid == $target : pid != $pid/
{
	self->start = timestamp;
}

syscall:::return
/self->start/
{
	@calls[execname, probefunc] = count();
	@failed[execname, probefunc] = sum(errno != 0);
	@time[execname, probefunc] = sum(timestamp - self->start);
	self->start = 0;
}

tick-1s
/++seconds == $1/
{
	exit(0);
}

END
{
	normalize(@time, 1000);
	printf("%-15s %-20s %10s %8s %12s\n", "PROGRAM", "CALL", "COUNT", "FAILED", "TIME");
	printa("%-15s %-20s %@10d %@8d %@12d\n", @calls, @failed, @time);
}
