#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcprtt.d - how long do segments of TCP and their answers take (round-trip time)?
 *
 * USAGE: tcprtt.d [OPTION]...
 *
 * Prints the distribution of the smoothed round-trip time, in microseconds, that the kernel has
 * for a connection when a segment of it comes. Each segment counts, so busy connections weigh
 * more.
 *
 * EXAMPLES
 *    tcprtt.d --duration 10s     all connections
 *    tcprtt.d -R                 by the other side's address
 *    tcprtt.d -P 443             only those with this port on one side
 */
#pragma D param port,P int 0 "only connections with this port on one side"
#pragma D param remote,R flag "by the other side's address"

inline struct sockaddr_in *PEER = (struct sockaddr_in *)args.daddr;
inline struct sockaddr_in6 *PEER6 = (struct sockaddr_in6 *)args.daddr;

tracepoint:tcp:tcp_probe
/args.srtt && (!$port || sport == $port || dport == $port) && !$remote/
{
	@all["all"] = quantize(args.srtt);
}

tracepoint:tcp:tcp_probe
/args.srtt && (!$port || sport == $port || dport == $port) && $remote/
{
	this->six = *(uint16_t *)args.daddr == AF_INET6;
	@all[this->six ? inet_ntop(AF_INET6, &PEER6->sin6_addr) :
	    inet_ntop(AF_INET, &PEER->sin_addr)] = quantize(args.srtt);
}

END
{
	printa("\n%s (us):%@d\n", @all);
}
