#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * icmpstat.d - how many ICMP messages are sent and received in each second?
 *
 * USAGE: icmpstat.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Counts ICMP of IPv4 and IPv6: echo requests and replies, unreachable ports and hosts, redirects.
 * A message over loopback counts as sent and as received.
 *
 * EXAMPLES
 *    icmpstat.d       each second, until ^C
 *    icmpstat.d 10 6  six times ten seconds
 */
#pragma D param interval,i time 1s "time between two lines"
#pragma D param count int 0 "end after this many lines"

BEGIN
{
	printf("%-8s %9s %9s\n", "TIME", "RECEIVED", "SENT");
}

mib:::icmpInMsgs
{
	@in = sum(arg0);
}

mib:::icmpOutMsgs
{
	@out = sum(arg0);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	@in = sum(0);
	@out = sum(0);
	printf("%-8s", strftime("%H:%M:%S", walltimestamp));
	printa(" %@9d %@9d\n", @in, @out);
	trunc(@in);
	trunc(@out);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
