#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpconnect.d - who connects by TCP, where to, and how long does the answer take?
 *
 * USAGE: tcpconnect.d [MICROSECONDS]
 *
 *    MICROSECONDS    only connections that took at least this long (default: 0, all)
 *
 * US is the time from the first packet to the answer: a round trip of the network and the time the
 * other side needs to accept. RESULT is "refused" if the other side rejected the connection. The
 * distribution by address follows at the end. IPv4 only; needs probes on kernel functions.
 *
 * EXAMPLES
 *    tcpconnect.d                all connections, until ^C
 *    tcpconnect.d 100000         those that took 0.1 s or more
 */
#pragma D option defaultargs

/* States of a socket, as the kernel numbers them. */
inline int ESTABLISHED = 1;
inline int SYN_SENT = 2;

BEGIN
{
	printf("%7s %-15s %-15s %5s %8s %s\n", "PID", "PROGRAM", "ADDRESS", "PORT", "US", "RESULT");
}

/* The key is the socket, because the answer arrives in an interrupt, in an unrelated thread. */
fbt::tcp_v4_connect:entry
{
	start[arg0] = timestamp;
	who[arg0] = pid;
	program[arg0] = execname;
}

fbt::tcp_rcv_state_process:entry
/start[arg0] && args[0]->__sk_common.skc_state == SYN_SENT/
{
	self->sk = args[0];
}

/* The connection is now established or refused. */
fbt::tcp_rcv_state_process:return
/self->sk/
{
	this->key = (int64_t)self->sk;
	this->us = (timestamp - start[this->key]) / 1000;
	this->address = inet_ntop(AF_INET, &self->sk->__sk_common.skc_daddr);
	@[this->address] = quantize(this->us);
}

fbt::tcp_rcv_state_process:return
/self->sk && this->us >= $1/
{
	printf("%7d %-15s %-15s %5d %8d %s\n", who[this->key], program[this->key], this->address,
	    ntohs(self->sk->__sk_common.skc_dport), this->us,
	    self->sk->__sk_common.skc_state == ESTABLISHED ? "connected" : "refused");
}

fbt::tcp_rcv_state_process:return
/self->sk/
{
	start[this->key] = 0;
	who[this->key] = 0;
	program[this->key] = 0;
	self->sk = 0;
}

END
{
	printf("\nMicroseconds, by address:\n");
	printa(@);
}
