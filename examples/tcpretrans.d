#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpretrans.d - which TCP segments are sent again, on which connection, and in which state?
 *
 * USAGE: tcpretrans.d [OPTION]...
 *
 * Prints a line for each segment that is sent again because it was not confirmed in time. In state
 * SYN_SENT nobody answers at all. With --count only the connections with their numbers are shown.
 *
 * EXAMPLES
 *    tcpretrans.d                each segment, until ^C
 *    tcpretrans.d -C             by connection, at the end
 */
#pragma D param count,C flag "only count, by connection"

inline string STATE[int n] =
    n == 1 ? "ESTABLISHED" : n == 2 ? "SYN_SENT" : n == 3 ? "SYN_RECV" : n == 4 ? "FIN_WAIT1" :
    n == 5 ? "FIN_WAIT2" : n == 6 ? "TIME_WAIT" : n == 7 ? "CLOSE" : n == 8 ? "CLOSE_WAIT" :
    n == 9 ? "LAST_ACK" : n == 10 ? "LISTEN" : n == 11 ? "CLOSING" : "NEW_SYN_RECV";

BEGIN
/!$count/
{
	printf("%-8s %-24s %5s %-24s %5s %s\n", "TIME", "LOCAL", "PORT", "REMOTE", "PORT", "STATE");
}

tracepoint:tcp:tcp_retransmit_skb
{
	this->six = ((struct sock *)args.skaddr)->__sk_common.skc_family == AF_INET6;
	this->local = this->six ? inet_ntop(AF_INET6, args.saddr_v6) :
	    inet_ntop(AF_INET, args.saddr);
	this->remote = this->six ? inet_ntop(AF_INET6, args.daddr_v6) :
	    inet_ntop(AF_INET, args.daddr);
}

tracepoint:tcp:tcp_retransmit_skb
/!$count/
{
	printf("%-8s %-24s %5d %-24s %5d %s\n", strftime("%H:%M:%S", walltimestamp), this->local,
	    sport, this->remote, dport, STATE[args.state]);
}

tracepoint:tcp:tcp_retransmit_skb
/$count/
{
	@[this->local, sport, this->remote, dport] = count();
}

END
/$count/
{
	printf("%-24s %5s %-24s %5s %8s\n", "LOCAL", "PORT", "REMOTE", "PORT", "COUNT");
	printa("%-24s %5d %-24s %5d %@8d\n", @);
}
