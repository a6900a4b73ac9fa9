#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcptop.d - which programs send and receive most by TCP, and to whom?
 *
 * USAGE: tcptop.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Prints, in each interval, the connections with the most bytes, by process. They are the bytes
 * that the program gives to and takes from its socket. Needs probes on kernel functions.
 *
 * EXAMPLES
 *    tcptop.d            each second, until ^C
 *    tcptop.d -t 5 10 1  the top five of ten seconds
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D option aggsortrev
#pragma D option aggtop=$top

inline string REMOTE[struct sock *sk] = sk->__sk_common.skc_family == AF_INET6 ?
    inet_ntop(AF_INET6, &sk->__sk_common.skc_v6_daddr) :
    inet_ntop(AF_INET, &sk->__sk_common.skc_daddr);

fbt::tcp_sendmsg:entry
{
	this->remote = REMOTE[args[0]];
	this->local = args[0]->__sk_common.skc_num;
	this->port = ntohs(args[0]->__sk_common.skc_dport);
	@all[pid, execname, this->local, this->remote, this->port] = sum(args[2]);
	@sent[pid, execname, this->local, this->remote, this->port] = sum(args[2]);
}

fbt::tcp_cleanup_rbuf:entry
/args[1] > 0/
{
	this->remote = REMOTE[args[0]];
	this->local = args[0]->__sk_common.skc_num;
	this->port = ntohs(args[0]->__sk_common.skc_dport);
	@all[pid, execname, this->local, this->remote, this->port] = sum(args[1]);
	@received[pid, execname, this->local, this->remote, this->port] = sum(args[1]);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%7s %-15s %5s %-24s %5s %12s %12s %12s\n",
	    strftime("%H:%M:%S", walltimestamp), "PID", "PROGRAM", "PORT", "REMOTE", "PORT",
	    "BYTES", "SENT", "RECEIVED");
	printa("%7d %-15s %5d %-24s %5d %@12d %@12d %@12d\n", @all, @sent, @received);
	trunc(@all);
	trunc(@sent);
	trunc(@received);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
