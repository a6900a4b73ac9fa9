#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpconnect.d - who connects to where by TCP, and how long does the other side take to answer?
 *
 * USAGE: tcpconnect.d [MICROSECONDS]
 *
 *    MICROSECONDS    only connections that took so long or longer (default: 0, all)
 *
 * US is the time from the first packet to the answer: a round trip of the network and what the
 * other side needs to accept. RESULT is "refused" if the answer was not to connect. At the
 * end the distribution, by address. IPv4; needs probes on kernel functions.
 *
 * EXAMPLES
 *    tcpconnect.d                all connections, until ^C
 *    tcpconnect.d 100000         those that took 0.1 s and more
 */
#pragma D option defaultargs

/* States of a socket, as the kernel numbers them. */
inline int ESTABLISHED = 1;
inline int SYN_SENT = 2;

BEGIN
{
	printf("%7s %-15s %-15s %5s %8s %s\n", "PID", "PROGRAM", "ADDRESS", "PORT", "US", "RESULT");
}

/* The socket is the key: the answer arrives in an interrupt, in the name of whoever runs then. */
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

/* It is connected now, or it never will be. */
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
