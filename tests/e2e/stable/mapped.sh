#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: ss
# where: both
#
# tcp, conninfo_t: what IPv6 sockets speak over IPv4 (::ffff:127.0.0.1) is IPv4, with the same addresses at every probe.
# truth: conninfo_t, ci_local, ci_remote, ci_protocol | addresses of IPv6 sockets that speak IPv4 | the program
. "$(dirname "$0")/../lib.sh"

dtx -x strsize=64 -qn 'tcp:::accept-established, tcp:::connect-established, tcp:::send, tcp:::receive {
		@[probename, args[2]->ip_ver, args[2]->ip_saddr, args[3]->tcps_laddr, args[3]->tcps_raddr] = count(); }
	tcp:::accept-established {
		this->c = (struct sock *)args[1]->cs_addr;
		printf("conn %s %s %s\n", (xlate <conninfo_t *>(this->c))->ci_local, (xlate <conninfo_t *>(this->c))->ci_remote,
		    (xlate <conninfo_t *>(this->c))->ci_protocol); }
	END { printa("%s %d %s %s %s\n", @); }' -c "$t/talk ::ffff:127.0.0.1"
a=127.0.0.1
same "accept-established 4 $a $a $a
conn $a $a ipv4
connect-established 4 $a $a $a
receive 4 $a $a $a
send 4 $a $a $a" "$(grep -E "^(accept|conn|receive|send).*$a" "$tmp/out" | sort -u)" "the addresses of an IPv4 connection"
! grep -F '::ffff' "$tmp/out" | grep -vE '^(tcp|ESTAB|udp|refused)|\[::ffff' || fail "the addresses of an IPv6 one"
