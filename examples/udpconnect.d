#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * udpconnect.d - which programs connect UDP sockets, and where to?
 *
 * USAGE: udpconnect.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when connect returns for a UDP socket: name servers, time servers, QUIC, telephony.
 * Programs that send without connecting are not seen.
 *
 * EXAMPLES
 *    udpconnect.d                all, until ^C
 *    udpconnect.d -P 53          only name servers
 */
#pragma D param port,P int 0 "only this remote port"
#pragma D param name,n string "only programs of this name"

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];
inline struct sock *SOCK[int fd] = ((struct socket *)FILE[fd]->private_data)->sk;

BEGIN
{
	printf("%-8s %7s %-15s %2s %-40s %5s\n", "TIME", "PID", "PROGRAM", "IP", "REMOTE", "PORT");
}

syscall::connect:entry
/$name == "" || execname == $name/
{
	self->fd = arg0 + 1;
}

syscall::connect:return
/self->fd && !errno && SOCK[self->fd - 1]->sk_protocol == 17 &&
    (!$port || ntohs(SOCK[self->fd - 1]->__sk_common.skc_dport) == $port)/
{
	this->sk = SOCK[self->fd - 1];
	this->six = this->sk->__sk_common.skc_family == AF_INET6;
	printf("%-8s %7d %-15s %2d %-40s %5d\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    this->six ? 6 : 4,
	    this->six ? inet_ntop(AF_INET6, &this->sk->__sk_common.skc_v6_daddr) :
	    inet_ntop(AF_INET, &this->sk->__sk_common.skc_daddr),
	    ntohs(this->sk->__sk_common.skc_dport));
}

syscall::connect:return
{
	self->fd = 0;
}
