#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tcpdrop.d - which TCP packets does the kernel drop, and why?
 *
 * USAGE: tcpdrop.d [OPTION]...
 *
 * Prints a line for each IPv4 packet with TCP that is dropped, with the reason as the kernel names
 * it: NO_SOCKET is a port that nobody listens on. With --stacks also the path in the kernel. Needs
 * Linux 5.17, whose tracepoint has reasons.
 *
 * EXAMPLES
 *    tcpdrop.d                   all, until ^C
 *    tcpdrop.d -s                with stacks
 */
#pragma D param stacks,s flag "with the path in the kernel"

BEGIN
{
	printf("%-8s %-15s %5s %-15s %5s %s\n", "TIME", "FROM", "PORT", "TO", "PORT", "REASON");
}

/* Ethernet's number of IPv4 is 0x800; TCP is protocol 6; a reason above 2 is a drop. */
rawtp:skb::kfree_skb
/args[0]->protocol == htons(0x800) && (int)args[2] > 2/
{
	this->ip = (struct iphdr *)(args[0]->head + args[0]->network_header);
	this->wanted = this->ip->protocol == 6;
	this->ports = (uint16_t *)((char *)this->ip + this->ip->ihl * 4);
}

rawtp:skb::kfree_skb
/args[0]->protocol == htons(0x800) && (int)args[2] > 2 && this->wanted/
{
	printf("%-8s %-15s %5d %-15s %5d %s\n", strftime("%H:%M:%S", walltimestamp),
	    inet_ntop(AF_INET, &this->ip->saddr), ntohs(this->ports[0]),
	    inet_ntop(AF_INET, &this->ip->daddr), ntohs(this->ports[1]),
	    (enum skb_drop_reason)args[2]);
}

rawtp:skb::kfree_skb
/$stacks && args[0]->protocol == htons(0x800) && (int)args[2] > 2 && this->wanted/
{
	stack();
}
