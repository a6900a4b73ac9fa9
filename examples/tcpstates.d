#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpstates.d - through which states do TCP connections go, and how long do they stay in each?
 *
 * USAGE: tcpstates.d [OPTION]...
 *
 * Prints a line for each change of state. MS is the time in the old state. PROGRAM is the one that
 * runs at that moment: for a packet that arrives it can be any. The kernel closes the socket of a
 * connection that waits for its peer, or in TIME_WAIT, and keeps a small one: it is CLOSE here;
 * tcp:::state-change tells the two apart.
 *
 * EXAMPLES
 *    tcpstates.d                 all connections, until ^C
 *    tcpstates.d -P 443          only those with this port on one side
 */
#pragma D param port,P int 0 "only connections with this port on one side"

inline string STATE[int n] =
    n == 1 ? "ESTABLISHED" : n == 2 ? "SYN_SENT" : n == 3 ? "SYN_RECV" : n == 4 ? "FIN_WAIT1" :
    n == 5 ? "FIN_WAIT2" : n == 6 ? "TIME_WAIT" : n == 7 ? "CLOSE" : n == 8 ? "CLOSE_WAIT" :
    n == 9 ? "LAST_ACK" : n == 10 ? "LISTEN" : n == 11 ? "CLOSING" : "NEW_SYN_RECV";

uint64_t since[uint64_t];

BEGIN
{
	printf("%-8s %-15s %-24s %5s %-24s %5s %-11s %-11s %8s\n", "TIME", "PROGRAM", "LOCAL",
	    "PORT", "REMOTE", "PORT", "FROM", "TO", "MS");
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && (!$port || sport == $port || dport == $port)/
{
	this->six = args.family == AF_INET6;
	this->at = since[(uint64_t)args.skaddr];
	printf("%-8s %-15s %-24s %5d %-24s %5d %-11s %-11s %8d\n",
	    strftime("%H:%M:%S", walltimestamp), execname,
	    this->six ? inet_ntop(AF_INET6, args.saddr_v6) : inet_ntop(AF_INET, args.saddr), sport,
	    this->six ? inet_ntop(AF_INET6, args.daddr_v6) : inet_ntop(AF_INET, args.daddr), dport,
	    STATE[oldstate], STATE[newstate],
	    this->at ? (timestamp - this->at) / 1000000 : 0);
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6/
{
	since[(uint64_t)args.skaddr] = newstate == 7 ? 0 : timestamp;
}
