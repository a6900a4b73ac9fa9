#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpstates.d - through which states do TCP connections go, and how long do they stay in each?
 *
 * USAGE: tcpstates.d [OPTION]...
 *
 * Prints a line for each change of state. MS is the time in the old state. PROGRAM is the one that
 * connected, listened or accepted; it is "-" if it did that before. The kernel closes the socket of a
 * connection that waits for its peer, or in TIME_WAIT, and keeps a small one: it is CLOSE here;
 * tcp:::state-change tells the two apart.
 *
 * EXAMPLES
 *    tcpstates.d                 all connections, until ^C
 *    tcpstates.d -P 443          only those with this port on one side
 */
#pragma D param port,P int 0 "only connections with this port on one side"
#pragma D option dynvarsize=4m
/* Packets come in any thread: -p and --cgroup select by the owner. */
#pragma D option unfiltered=inet_sock_set_state

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];
inline struct sock *SOCK[int fd] = ((struct socket *)FILE[fd]->private_data)->sk;
inline uint64_t NET[struct sock *sk] = (uint64_t)sk->__sk_common.skc_net.net;

inline string STATE[int n] =
    n == 1 ? "ESTABLISHED" : n == 2 ? "SYN_SENT" : n == 3 ? "SYN_RECV" : n == 4 ? "FIN_WAIT1" :
    n == 5 ? "FIN_WAIT2" : n == 6 ? "TIME_WAIT" : n == 7 ? "CLOSE" : n == 8 ? "CLOSE_WAIT" :
    n == 9 ? "LAST_ACK" : n == 10 ? "LISTEN" : n == 11 ? "CLOSING" : "NEW_SYN_RECV";

uint64_t since[uint64_t];
int owned[uint64_t]; /* is the owner of the socket known, and selected? */
string owner[uint64_t];
int listens[uint64_t, int]; /* the same of ports in a network namespace */
string listener[uint64_t, int];

BEGIN
{
	printf("%-8s %-15s %-24s %5s %-24s %5s %-11s %-11s %8s\n", "TIME", "PROGRAM", "LOCAL",
	    "PORT", "REMOTE", "PORT", "FROM", "TO", "MS");
}

/* A thread that waits in accept has called it before; then its return tells who listens. */
syscall::accept:entry,
syscall::accept4:entry
{
	this->port = SOCK[(int)arg0]->__sk_common.skc_num;
	listens[NET[SOCK[(int)arg0]], this->port] = 1;
	listener[NET[SOCK[(int)arg0]], this->port] = execname;
}

syscall::accept:return,
syscall::accept4:return
/!errno/
{
	this->sock = SOCK[(int)arg1];
	owned[(uint64_t)this->sock] = 1;
	owner[(uint64_t)this->sock] = execname;
	listens[NET[this->sock], this->sock->__sk_common.skc_num] = 1;
	listener[NET[this->sock], this->sock->__sk_common.skc_num] = execname;
}

/* A new socket: the end of the one that was at this address before may not have been seen. */
tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && (oldstate == 7 || (oldstate == 10 && newstate == 3))/
{
	since[(uint64_t)args.skaddr] = 0;
	owned[(uint64_t)args.skaddr] = 0;
	owner[(uint64_t)args.skaddr] = 0;
}

/* In these changes the thread of the owner runs: it connects, listens, closes. */
tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && selected && !owned[(uint64_t)args.skaddr] &&
    (newstate == 2 || newstate == 10 || newstate == 4 || newstate == 9)/
{
	owned[(uint64_t)args.skaddr] = 1;
	owner[(uint64_t)args.skaddr] = execname;
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && selected && newstate == 10/
{
	listens[NET[(struct sock *)args.skaddr], sport] = 1;
	listener[NET[(struct sock *)args.skaddr], sport] = execname;
}

/* A new connection is that of who listens. */
tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && newstate == 3 && listens[NET[(struct sock *)args.skaddr], sport]/
{
	owned[(uint64_t)args.skaddr] = 1;
	owner[(uint64_t)args.skaddr] = listener[NET[(struct sock *)args.skaddr], sport];
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && (!$port || sport == $port || dport == $port) &&
    (selected == 2 || owned[(uint64_t)args.skaddr])/
{
	this->six = args.family == AF_INET6;
	this->at = since[(uint64_t)args.skaddr];
	printf("%-8s %-15s %-24s %5d %-24s %5d %-11s %-11s %8d\n",
	    strftime("%H:%M:%S", walltimestamp),
	    owned[(uint64_t)args.skaddr] ? owner[(uint64_t)args.skaddr] : "-",
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

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && newstate == 7/
{
	owned[(uint64_t)args.skaddr] = 0;
	owner[(uint64_t)args.skaddr] = 0;
}

tracepoint:sock:inet_sock_set_state
/args.protocol == 6 && oldstate == 10 && newstate == 7/
{
	listens[NET[(struct sock *)args.skaddr], sport] = 0;
	listener[NET[(struct sock *)args.skaddr], sport] = 0;
}
