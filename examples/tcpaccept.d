#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpaccept.d - which programs accept TCP connections, from whom, and on which port?
 *
 * USAGE: tcpaccept.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when accept or accept4 returns a TCP connection. IP is 4 or 6. The connection may
 * have waited since the kernel accepted it; tcplife.d shows when it began.
 *
 * EXAMPLES
 *    tcpaccept.d                 all, until ^C
 *    tcpaccept.d -P 443          only one local port
 */
#pragma D param port,P int 0 "only this local port"
#pragma D param name,n string "only programs of this name"

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];
inline struct sock *SOCK[int fd] = ((struct socket *)FILE[fd]->private_data)->sk;

BEGIN
{
	printf("%-8s %7s %-15s %2s %-30s %5s %-24s %5s\n", "TIME", "PID", "PROGRAM", "IP",
	    "REMOTE", "PORT", "LOCAL", "PORT");
}

syscall::accept:return,
syscall::accept4:return
/!errno/
{
	this->sk = SOCK[(int)arg1];
	this->port = this->sk->__sk_common.skc_num;
}

syscall::accept:return,
syscall::accept4:return
/!errno && this->sk->sk_protocol == 6 && ($name == "" || execname == $name) &&
    (!$port || this->port == $port)/
{
	this->six = this->sk->__sk_common.skc_family == AF_INET6;
	printf("%-8s %7d %-15s %2d %-30s %5d %-24s %5d\n", strftime("%H:%M:%S", walltimestamp),
	    pid, execname, this->six ? 6 : 4,
	    this->six ? inet_ntop(AF_INET6, &this->sk->__sk_common.skc_v6_daddr) :
	    inet_ntop(AF_INET, &this->sk->__sk_common.skc_daddr),
	    ntohs(this->sk->__sk_common.skc_dport),
	    this->six ? inet_ntop(AF_INET6, &this->sk->__sk_common.skc_v6_rcv_saddr) :
	    inet_ntop(AF_INET, &this->sk->__sk_common.skc_rcv_saddr), this->port);
}
