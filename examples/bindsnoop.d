#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bindsnoop.d - which programs bind a socket to which address and port, and is it allowed?
 *
 * USAGE: bindsnoop.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when bind returns on a socket of IPv4 or IPv6. ADDRESS and PORT are those that the
 * socket has then: the kernel chooses a port if the program asked for 0. ERR is the error number of
 * the call: one that failed has what the program asked for. PROTO is the number of the protocol:
 * 6 TCP, 17 UDP.
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
	self->addr = arg1;
	self->len = (int)arg2;
}

/* EBADF and ENOTSOCK: there is no socket to look at. */
syscall::bind:return
/self->fd && errno != 9 && errno != 88 && (!$failed || errno)/
{
	this->sk = SOCK[self->fd - 1];
	this->family = FAMILY[this->sk];
	this->bound = this->family == AF_INET || this->family == AF_INET6;
	this->num = this->sk->__sk_common.skc_num;
	this->at = this->family == AF_INET6 ?
	    inet_ntop(AF_INET6, &this->sk->__sk_common.skc_v6_rcv_saddr) :
	    inet_ntop(AF_INET, &this->sk->__sk_common.skc_rcv_saddr);
}

/* EFAULT: there is no address to read. A socket of IPv6 can be given one of IPv4. */
syscall::bind:return
/this->bound && errno && errno != 14 && self->len >= sizeof(struct sockaddr_in)/
{
	this->four = (struct sockaddr_in *)copyin(self->addr, sizeof(struct sockaddr_in));
	if (this->four->sin_family == AF_INET) {
		this->num = ntohs(this->four->sin_port);
		this->at = inet_ntop(AF_INET, &this->four->sin_addr);
	}
	if (this->four->sin_family == AF_INET6 && self->len >= sizeof(struct sockaddr_in6)) {
		this->six = (struct sockaddr_in6 *)copyin(self->addr, sizeof(struct sockaddr_in6));
		this->num = ntohs(this->six->sin6_port);
		this->at = inet_ntop(AF_INET6, &this->six->sin6_addr);
	}
}

syscall::bind:return
/this->bound && (!$port || this->num == $port)/
{
	printf("%-8s %7d %-15s %5d %-40s %5d %3d\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, this->sk->sk_protocol, this->at, this->num, errno);
}

syscall::bind:return
{
	self->fd = 0;
	self->addr = 0;
	self->len = 0;
}
