#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rwtop.d - which processes read and write most?
 *
 * USAGE: rwtop.d [OPTION]... [INTERVAL [COUNT]] [-p PID | -c COMMAND]
 *
 * Prints, in each interval, the processes with the most bytes read and written by system calls:
 * files, pipes, sockets and terminals together. biotop.d shows only what reaches the disks.
 *
 * EXAMPLES
 *    rwtop.d            each second, until ^C
 *    rwtop.d -t 5 10 1  the top five of ten seconds
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D option aggsortrev
#pragma D option aggtop=$top

sysinfo:::readch
/pid != $pid && arg0/
{
	@all[pid, execname] = sum(arg0);
	@rbytes[pid, execname] = sum(arg0);
	@reads[pid, execname] = count();
}

sysinfo:::writech
/pid != $pid && arg0/
{
	@all[pid, execname] = sum(arg0);
	@wbytes[pid, execname] = sum(arg0);
	@writes[pid, execname] = count();
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%7s %-15s %12s %8s %8s %12s %12s\n", strftime("%H:%M:%S", walltimestamp),
	    "PID", "PROGRAM", "BYTES", "READS", "WRITES", "RBYTES", "WBYTES");
	printa("%7d %-15s %@12d %@8d %@8d %@12d %@12d\n", @all, @reads, @writes, @rbytes, @wbytes);
	trunc(@all);
	trunc(@reads);
	trunc(@writes);
	trunc(@rbytes);
	trunc(@wbytes);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
