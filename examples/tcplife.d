#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcplife.d - which TCP connections were there, between whom, how long, and with how many bytes?
 *
 * USAGE: tcplife.d [OPTION]...
 *
 * Prints a line when a connection ends that began while the script runs. SENT are the
 * bytes given to the network, each once; RECEIVED those that arrived in order. PROGRAM is the one that
 * connected or accepted, and the one that closed it if that was not seen.
 *
 * EXAMPLES
 *    tcplife.d                   all connections, until ^C
 *    tcplife.d -P 443            only those with this port on one side
 */
#pragma D param port,P int 0 "only connections with this port on one side"
#pragma D option dynvarsize=4m
/* Packets come in any thread: -p and --cgroup select by the owner. */
#pragma D option unfiltered=inet_sock_set_state

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];
inline struct sock *SOCK[int fd] = ((struct socket *)FILE[fd]->private_data)->sk;

uint64_t birth[struct sock *];
int owner[struct sock *];
string program[struct sock *];

BEGIN
{
	printf("%7s %-15s %-24s %5s %-24s %5s %10s %10s %9s\n", "PID", "PROGRAM", "LOCAL", "PORT",
	    "REMOTE", "PORT", "SENT", "RECEIVED", "MS");
}

/* The end that the other side sends (FIN) counts as a byte received; this flag says that it came. */
inline int SOCK_DONE = 1;

/*
 * A connection begins in state 2 (SYN_SENT) or 3 (SYN_RECV). After 7 (CLOSE) and 10 (LISTEN) it is a new
 * one: the end of the one that was at this address before may not have been seen.
 */
rawtp:sock::inet_sock_set_state
/args[0]->sk_protocol == 6 && args[2] <= 3 && (!birth[args[0]] || args[1] == 7 || args[1] == 10)/
{
	birth[args[0]] = timestamp;
	owner[args[0]] = 0;
	program[args[0]] = 0;
}

/* Only then is the current program the owner: connect, and close (FIN_WAIT1, LAST_ACK). */
rawtp:sock::inet_sock_set_state
/birth[args[0]] && !owner[args[0]] && selected && (args[2] == 2 || args[2] == 4 || args[2] == 9)/
{
	owner[args[0]] = pid;
	program[args[0]] = execname;
}

syscall::accept:return,
syscall::accept4:return
/!errno && birth[SOCK[(int)arg1]]/
{
	owner[SOCK[(int)arg1]] = pid;
	program[SOCK[(int)arg1]] = execname;
}

rawtp:sock::inet_sock_set_state
/args[2] == 7 && birth[args[0]]/
{
	this->sk = &args[0]->__sk_common;
	this->tcp = (struct tcp_sock *)args[0];
	this->six = this->sk->skc_family == AF_INET6;
}

rawtp:sock::inet_sock_set_state
/args[2] == 7 && birth[args[0]] && (owner[args[0]] || selected == 2) &&
    (!$port || ntohs(((struct inet_sock *)args[0])->inet_sport) == $port || ntohs(this->sk->skc_dport) == $port)/
{
	printf("%7d %-15s %-24s %5d %-24s %5d %10d %10d %9d\n", owner[args[0]],
	    owner[args[0]] ? program[args[0]] : "-",
	    this->six ? inet_ntop(AF_INET6, &this->sk->skc_v6_rcv_saddr) :
	    inet_ntop(AF_INET, &this->sk->skc_rcv_saddr),
	    ntohs(((struct inet_sock *)args[0])->inet_sport),
	    this->six ? inet_ntop(AF_INET6, &this->sk->skc_v6_daddr) :
	    inet_ntop(AF_INET, &this->sk->skc_daddr), ntohs(this->sk->skc_dport),
	    this->tcp->bytes_sent - this->tcp->bytes_retrans,
	    this->tcp->bytes_received - (this->sk->skc_flags >> SOCK_DONE & 1),
	    (timestamp - birth[args[0]]) / 1000000);
}

rawtp:sock::inet_sock_set_state
/args[2] == 7/
{
	birth[args[0]] = 0;
	owner[args[0]] = 0;
	program[args[0]] = 0;
}
