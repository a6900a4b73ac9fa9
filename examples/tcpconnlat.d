#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpconnlat.d - how long does it take until a TCP connection is established?
 *
 * USAGE: tcpconnlat.d [OPTION]...
 *
 * Prints a line when a connection that this machine opened is established, or has failed (STATE
 * refused): the time from the first segment to the answer. That is the network, and the kernel of
 * the other side; its program has not done anything yet.
 *
 * EXAMPLES
 *    tcpconnlat.d                all, until ^C
 *    tcpconnlat.d -m 100ms       only slow ones
 *    tcpconnlat.d -P 5432        only to this port
 */
#pragma D param name,n string "only programs of this name"
#pragma D param port,P int 0 "only to this port"
#pragma D param min,m time 0 "only those that took at least this time"
#pragma D option dynvarsize=4m
/* The answer comes in any thread: -p and --cgroup select by the one that connects. */
#pragma D option unfiltered=inet_sock_set_state

uint64_t began[uint64_t];
int owner[uint64_t];
string program[uint64_t];

BEGIN
{
	printf("%-8s %7s %-15s %-24s %-24s %5s %-11s %9s\n", "TIME", "PID", "PROGRAM", "LOCAL",
	    "REMOTE", "PORT", "STATE", "US");
}

/* 2 is SYN_SENT: the thread that connects runs. */
tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && newstate == 2 && selected && (!$port || dport == $port) &&
    ($name == "" || execname == $name)/
{
	began[(uint64_t)args.skaddr] = timestamp;
	owner[(uint64_t)args.skaddr] = pid;
	program[(uint64_t)args.skaddr] = execname;
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && oldstate == 2 && began[(uint64_t)args.skaddr] &&
    timestamp - began[(uint64_t)args.skaddr] >= $min/
{
	this->six = args.family == AF_INET6;
	printf("%-8s %7d %-15s %-24s %-24s %5d %-11s %9d\n", strftime("%H:%M:%S", walltimestamp),
	    owner[(uint64_t)args.skaddr], program[(uint64_t)args.skaddr],
	    this->six ? inet_ntop(AF_INET6, args.saddr_v6) : inet_ntop(AF_INET, args.saddr),
	    this->six ? inet_ntop(AF_INET6, args.daddr_v6) : inet_ntop(AF_INET, args.daddr), dport,
	    newstate == 1 ? "established" : "refused",
	    (timestamp - began[(uint64_t)args.skaddr]) / 1000);
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && oldstate == 2/
{
	began[(uint64_t)args.skaddr] = 0;
	owner[(uint64_t)args.skaddr] = 0;
	program[(uint64_t)args.skaddr] = 0;
}
