#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: both
# truth: csinfo_t, cs_addr and cs_cid at tcp:::send, state-change, udp:::send, ip:::send | the cookie of the socket that is there | SO_COOKIE of the program's own sockets
# truth: cpuinfo_t, cpu_id of curcpu; cpu | the CPU of a system call | the program, which binds itself to each CPU
#
# The connection of a packet is the program's socket: the number that the kernel gives each socket (SO_COOKIE) is in it.
. "$(dirname "$0")/../lib.sh"

gcc -x c -o "$tmp/talk" - <<'END' || fail 'the program does not compile'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static int opened(const char *what, int type)
{
	int fd = socket(AF_INET, type, 0);
	unsigned long long cookie = 0;
	socklen_t len = sizeof(cookie);
	getsockopt(fd, SOL_SOCKET, 57 /* SO_COOKIE */, &cookie, &len);
	printf("own %s %llu\n", what, cookie);
	return fd;
}
int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(to);
	int server = socket(AF_INET, SOCK_STREAM, 0), tcp, udp;
	bind(server, (struct sockaddr *)&to, len);
	listen(server, 1);
	getsockname(server, (struct sockaddr *)&to, &len);
	tcp = opened("tcp", SOCK_STREAM);
	if (connect(tcp, (struct sockaddr *)&to, len) || write(tcp, "12345", 5) != 5)
		return 1;
	udp = opened("udp", SOCK_DGRAM);
	sendto(udp, "123456789", 9, 0, (struct sockaddr *)&to, len);
	for (int n = 0; n < 2; n++) {
		cpu_set_t one;
		CPU_ZERO(&one);
		CPU_SET(n, &one);
		if (!sched_setaffinity(0, sizeof(one), &one))
			getpgid(2000000000 + n);
	}
	return 0;
}
END

cat >"$tmp/cs.d" <<'END'
#pragma D option quiet
#define COOKIE(cs) (((struct sock *)(cs)->cs_addr)->__sk_common.skc_cookie.counter)
#define SAME(cs) ((cs)->cs_cid == (cs)->cs_addr)
tcp:::send /pid == $target && args[2]->ip_plength - args[4]->tcp_offset == 5/ { printf("tcp-send tcp %d %d\n", COOKIE(args[1]), SAME(args[1])); }
tcp:::state-change /pid == $target && args[3]->tcps_state == TCP_STATE_SYN_SENT/ { printf("tcp-state tcp %d %d\n", COOKIE(args[1]), SAME(args[1])); }
udp:::send /pid == $target && args[4]->udp_length == 17/ { printf("udp-send udp %d %d\n", COOKIE(args[1]), SAME(args[1])); }
ip:::send /pid == $target && args[2]->ip_plength == 17/ { printf("ip-send udp %d %d\n", COOKIE(args[1]), SAME(args[1])); }
syscall::getpgid:entry /pid == $target && arg0 >= 2000000000/ { printf("cpu %d %d %d\n", arg0 - 2000000000, curcpu->cpu_id, cpu); }
END
dtx -C -s "$tmp/cs.d" -c "$tmp/talk"
tcp=$(sed -n 's/^own tcp //p' "$tmp/out") udp=$(sed -n 's/^own udp //p' "$tmp/out")
[ "${tcp:-0}" != 0 ] || skip 'this kernel gives sockets no numbers'
same "ip-send udp $udp 1
tcp-send tcp $tcp 1
tcp-state tcp $tcp 1
udp-send udp $udp 1" "$(grep -E '^(tcp|udp|ip)-' "$tmp/out" | sort -u)" "$(cat "$tmp/out" "$tmp/err")"
cpus=$(grep -c '^cpu ' "$tmp/out")
[ "$cpus" -ge 1 ] || fail 'no CPU was told'
awk '$1 == "cpu" && ($2 != $3 || $2 != $4) { exit 1 }' "$tmp/out" || fail "the CPUs: $(cat "$tmp/out")"
