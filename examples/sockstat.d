#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sockstat.d - how many sockets and TCP connections are made in each second?
 *
 * USAGE: sockstat.d [OPTION]... [INTERVAL [COUNT]]
 *
 * SOCKETS were made by socket, of all kinds. OUT are TCP connections asked for, IN those accepted
 * from others, FAILED those that were never established, RESET those that were broken off, and
 * RETRANS segments sent again.
 *
 * EXAMPLES
 *    sockstat.d       each second, until ^C
 *    sockstat.d 10 6  six times ten seconds
 */
#pragma D param interval,i time 1s "time between two lines"
#pragma D param count int 0 "end after this many lines"

BEGIN
{
	printf("%-8s %8s %8s %8s %8s %8s %8s\n", "TIME", "SOCKETS", "OUT", "IN", "FAILED", "RESET",
	    "RETRANS");
}

syscall::socket:return
/!errno/
{
	@sockets = sum(1);
}

mib:::tcpActiveOpens
{
	@out = sum(arg0);
}

mib:::tcpPassiveOpens
{
	@in = sum(arg0);
}

mib:::tcpAttemptFails
{
	@failed = sum(arg0);
}

mib:::tcpEstabResets
{
	@reset = sum(arg0);
}

mib:::tcpRetransSegs
{
	@retrans = sum(arg0);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	@sockets = sum(0);
	@out = sum(0);
	@in = sum(0);
	@failed = sum(0);
	@reset = sum(0);
	@retrans = sum(0);
	printf("%-8s", strftime("%H:%M:%S", walltimestamp));
	printa(" %@8d %@8d %@8d %@8d %@8d %@8d\n", @sockets, @out, @in, @failed, @reset, @retrans);
	trunc(@sockets);
	trunc(@out);
	trunc(@in);
	trunc(@failed);
	trunc(@reset);
	trunc(@retrans);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
