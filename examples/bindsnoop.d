#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bindsnoop.d - which programs bind a socket to which address and port, and is it allowed?
 *
 * USAGE: bindsnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when bind returns on a socket of IPv4 or IPv6. PORT is the one that the socket has
 * then: the kernel chooses one if the program asked for 0. ERR is the error number of the call; a
 * call that failed has no port. PROTO is the number of the protocol: 6 TCP, 17 UDP.
 *
 * EXAMPLES
 *    bindsnoop.d                 all, until ^C
 *    bindsnoop.d -P 80           who takes port 80?
 *    bindsnoop.d -f              only calls that failed
 */
#pragma D param name,n string "only programs of this name"
#pragma D param port,P int 0 "only this port"
#pragma D param failed,f flag "only calls that failed"

inline struct file *FILE[int fd] = curthread->files->fdt->fd[fd];
inline struct sock *SOCK[int fd] = ((struct socket *)FILE[fd]->private_data)->sk;
inline int FAMILY[struct sock *sk] = sk->__sk_common.skc_family;

BEGIN
{
	printf("%-8s %7s %-15s %5s %-40s %5s %3s\n", "TIME", "PID", "PROGRAM", "PROTO", "ADDRESS",
	    "PORT", "ERR");
}

syscall::bind:entry
/$name == "" || execname == $name/
{
	self->fd = arg0 + 1;
}

/* EBADF and ENOTSOCK: there is no socket to look at. */
syscall::bind:return
/self->fd && errno != 9 && errno != 88 && (!$failed || errno)/
{
	this->sk = SOCK[self->fd - 1];
	this->family = FAMILY[this->sk];
	this->bound = this->family == AF_INET || this->family == AF_INET6;
}

syscall::bind:return
/this->bound && (!$port || this->sk->__sk_common.skc_num == $port)/
{
	printf("%-8s %7d %-15s %5d %-40s %5d %3d\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, this->sk->sk_protocol,
	    this->family == AF_INET6 ? inet_ntop(AF_INET6, &this->sk->__sk_common.skc_v6_rcv_saddr) :
	    inet_ntop(AF_INET, &this->sk->__sk_common.skc_rcv_saddr),
	    this->sk->__sk_common.skc_num, errno);
}

syscall::bind:return
{
	self->fd = 0;
}
