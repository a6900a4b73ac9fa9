#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf gcc
# timeout: 60
# on: newest
# truth: mib:::ipInReceives, ipOutRequests | IPv4 packets | InReceives, OutRequests of /proc/net/snmp
# truth: mib:::ipv6InReceives, ipv6OutRequests | IPv6 packets | Ip6InReceives, Ip6OutRequests of /proc/net/snmp6
# truth: mib:::tcpActiveOpens, tcpPassiveOpens | connections opened by either side | /proc/net/snmp
# truth: mib:::tcpAttemptFails, tcpEstabResets | connections refused, connections reset | /proc/net/snmp
# truth: mib:::tcpInSegs, tcpOutSegs, tcpOutRsts | segments | /proc/net/snmp
# truth: mib:::tcpOutDataBytes, tcpInDataInorderBytes | bytes | the program's own count
# truth: mib:::udpInDatagrams, udpOutDatagrams, udpNoPorts | datagrams | /proc/net/snmp, /proc/net/snmp6
# truth: mib:::icmpInMsgs, icmpOutMsgs | messages | /proc/net/snmp
#
# Nobody else speaks in a guest: what a program adds to the kernel's own statistics is what mib counts, each to the last one.
. "$(dirname "$0")/../lib.sh"
[ -n "${DTX_GUEST:-}" ] || skip 'others use the network here'

gcc -O1 -x c -o "$tmp/speak" - <<'END' || fail 'the program does not compile'
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static char data[70000];
static int make(int family, int type, struct sockaddr_in6 *at, int port)
{
	struct sockaddr_in *four = (void *)at;
	int fd = socket(family, type, 0);
	memset(at, 0, sizeof(*at));
	if (family == AF_INET)
		*four = (struct sockaddr_in){ AF_INET, htons(port), { htonl(INADDR_LOOPBACK) } };
	else
		*at = (struct sockaddr_in6){ AF_INET6, htons(port), 0, in6addr_loopback, 0 };
	return fd;
}
static void stream(int family, int port, int reset)
{
	struct sockaddr_in6 at;
	struct linger now = { 1, 0 };
	int one = 1, s = make(family, SOCK_STREAM, &at, port), c, p, got = 0, n;
	socklen_t size = family == AF_INET ? 16 : 28;
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(s, (void *)&at, size) || listen(s, 4))
		exit(1);
	c = socket(family, SOCK_STREAM, 0);
	if (connect(c, (void *)&at, size))
		exit(2);
	p = accept(s, NULL, NULL);
	for (int k = 0; k < 3; k++)
		for (int sent = 0; sent < 21000; sent += 700) {
			if (write(c, data, 700) != 700)
				exit(3);
			for (got = 0; got < 700; got += n)
				if ((n = read(p, data, sizeof(data))) <= 0)
					exit(4);
		}
	if (reset)
		setsockopt(c, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	close(c);
	while (read(p, data, 1) > 0)
		;
	close(p);
	close(s);
}
static void refused(int family, int port)
{
	struct sockaddr_in6 at;
	int c = make(family, SOCK_STREAM, &at, port);
	if (!connect(c, (void *)&at, family == AF_INET ? 16 : 28))
		exit(5);
	close(c);
}
static void datagrams(int family, int port, int n)
{
	struct sockaddr_in6 at;
	int s = make(family, SOCK_DGRAM, &at, port), c = socket(family, SOCK_DGRAM, 0);
	socklen_t size = family == AF_INET ? 16 : 28;
	if (bind(s, (void *)&at, size))
		exit(6);
	for (int i = 0; i < n; i++)
		if (sendto(c, data, 100 + i, 0, (void *)&at, size) < 0 || read(s, data, sizeof(data)) != 100 + i)
			exit(7);
	close(s);
	sendto(c, data, 9, 0, (void *)&at, size);       /* to nobody */
	close(c);
}
int main(void)
{
	getpgid(2000000001);
	stream(AF_INET, 4711, 0);
	stream(AF_INET, 4712, 1);
	stream(AF_INET6, 4713, 0);
	refused(AF_INET, 4714);
	datagrams(AF_INET, 4715, 5);
	datagrams(AF_INET6, 4716, 3);
	usleep(400000);                  /* acknowledgements that wait */
	getpgid(2000000000);
	return 0;
}
END
# statistics: "NAME VALUE" of those that mib has.
statistics() {
	awk '
		$1 ~ /^(Ip|Tcp|Udp|Icmp):$/ && !($1 in head) { head[$1] = $0; next }
		$1 in head { split(head[$1], name); for (i = 2; i <= NF; i++) v[substr($1, 1, length($1) - 1) name[i]] = $i }
		$1 ~ /^(Ip|Udp|Icmp)6/ { v[$1] = $2 }
		END {
			split("ipInReceives IpInReceives ipOutRequests IpOutRequests ipv6InReceives Ip6InReceives ipv6OutRequests Ip6OutRequests " \
			      "tcpActiveOpens TcpActiveOpens tcpPassiveOpens TcpPassiveOpens tcpAttemptFails TcpAttemptFails " \
			      "tcpEstabResets TcpEstabResets tcpInSegs TcpInSegs tcpOutSegs TcpOutSegs tcpOutRsts TcpOutRsts " \
			      "icmpInMsgs IcmpInMsgs icmpOutMsgs IcmpOutMsgs", n, " ")
			for (i = 1; i in n; i += 2) print n[i], v[n[i + 1]] + 0
			print "udpOutDatagrams", v["UdpOutDatagrams"] + v["Udp6OutDatagrams"]
			print "udpInDatagrams", v["UdpInDatagrams"] + v["Udp6InDatagrams"]
			print "udpNoPorts", v["UdpNoPorts"] + v["Udp6NoPorts"]
		}' /proc/net/snmp /proc/net/snmp6 | sort
}
probes=$(statistics | sed 's/ .*//; s/^/mib:::/' | paste -sd,)
statistics >"$tmp/before"
dtx -qn "int on; syscall::getpgid:entry /arg0 >= 2000000000/ { on = arg0 - 2000000000; }
	$probes /on/ { @[probename] = sum(arg0); } mib:::tcpOutDataBytes, mib:::tcpInDataInorderBytes /on/ { @[probename] = sum(arg0); }
	END { printa(\"%s %@d\\n\", @); }" -c "$tmp/speak"
statistics >"$tmp/after"
{ join "$tmp/before" "$tmp/after" | awk '$3 != $2 { print $1, $3 - $2 }'; echo tcpInDataInorderBytes 189000; echo tcpOutDataBytes 189000; } | sort >"$tmp/want"
[ "$(wc -l <"$tmp/want")" -ge 14 ] || fail "the program did not do its work: $(cat "$tmp/want" "$tmp/out" "$tmp/err")"
same "$(cat "$tmp/want")" "$(grep . "$tmp/out" | sort)" "not what the kernel counted: $(cat "$tmp/err")"
