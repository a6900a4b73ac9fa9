#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: ss
# where: both
# timeout: 120
#
# ip, tcp, udp: tests/trigger/talk over IPv4 and IPv6. The connection with its states at both ends, the bytes of both
# directions and the segment size as `ss -ti` has them, a connection that is refused, and datagrams.
# truth: tcp:::send, tcp:::receive | bytes of both directions of a connection | ss -ti
# truth: tcp:::send, args[3]->tcps_mss | the size of segments | ss -ti
# truth: tcp:::connect-request, connect-established, accept-established | once a connection, with its ports and addresses | the program
# truth: tcp:::connect-refused, accept-refused | once a connection that is refused | the program
# truth: udp:::send, udp:::receive | each datagram with its ports and length | the program
# truth: ip:::send, ip:::receive | each packet of the datagrams with its length and protocol | the program
. "$(dirname "$0")/../lib.sh"
modules inet_diag tcp_diag

cat >"$tmp/talk.d" <<-'END'
	#pragma D option quiet
	tcp:::connect-request { printf("connect-request %d %d %s %s %d %x\n", args[3]->tcps_lport, args[3]->tcps_rport,
	    args[2]->ip_daddr, args[3]->tcps_raddr, args[3]->tcps_state, args[4]->tcp_flags); }
	tcp:::connect-established { printf("connect-established %d %d %s %s\n", args[3]->tcps_lport, args[4]->tcp_sport,
	    args[3]->tcps_raddr, args[2]->ip_saddr); }
	tcp:::accept-established { printf("accept-established %d %d %s %s\n", args[3]->tcps_lport, args[4]->tcp_sport,
	    args[3]->tcps_raddr, args[3]->tcps_laddr); }
	tcp:::accept-refused { printf("accept-refused %d %d %s\n", args[4]->tcp_sport, args[4]->tcp_dport, args[2]->ip_daddr); }
	tcp:::connect-refused { printf("connect-refused %d %d %s\n", args[3]->tcps_lport, args[4]->tcp_sport, args[2]->ip_saddr); }
	tcp:::state-change { printf("state %d %d %s %s\n", args[3]->tcps_lport, args[3]->tcps_rport,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]); }
	tcp:::send { printf("send %d %d %d %d\n", args[4]->tcp_sport, args[4]->tcp_dport,
	    args[2]->ip_plength - args[4]->tcp_offset, args[3]->tcps_mss); }
	tcp:::receive { printf("receive %d %d %d\n", args[3]->tcps_rport, args[3]->tcps_lport,
	    args[2]->ip_plength - args[4]->tcp_offset); }
	udp:::send { printf("udp-send %d %d %d %s\n", args[4]->udp_sport, args[3]->udps_rport, args[4]->udp_length, args[3]->udps_raddr); }
	udp:::receive { printf("udp-receive %d %d %d %s\n", args[3]->udps_rport, args[4]->udp_dport, args[4]->udp_length, args[3]->udps_raddr); }
	ip:::send, ip:::receive /args[3]->if_name == "lo" && args[2]->ip_plength > 1000 && args[2]->ip_plength < 1420/ {
		printf("%s %d %d %s%s %s\n", probename, args[2]->ip_ver, args[2]->ip_plength,
		    args[4]->ipv4_protostr, args[5]->ipv6_nextstr, args[2]->ip_saddr);
	}
END
port() { awk -v name="$1" -v n="$2" '$1 == name && NF == 3 { print $n }' "$tmp/out"; }
lines() { grep -E "$1" "$tmp/out" | sort; }
sum() { awk -v how="$1" -v from="$2" -v to="$3" '$1 == how && $2 == from && $3 == to { n += $4 } END { print n + 0 }' "$tmp/out"; }

sorted() { same "$(sort <<<"$1")" "$2" "$3"; }

talk() {                        # talk ADDRESS VERSION PROTOCOL-TEXTS
	dtx -s "$tmp/talk.d" -c "$t/talk $1"
	local c s
	c=$(port tcp 2) s=$(port tcp 3)
	sorted "accept-established $s $c $1 $1
connect-established $c $s $1 $1
connect-request $c $s $1 $1 2 2
state $c $s state-closed state-syn-sent
state $c $s state-established state-fin-wait-1
state $c $s state-fin-wait-1 state-fin-wait-2
state $c $s state-fin-wait-2 state-time-wait
state $c $s state-syn-sent state-established
state $s $c state-close-wait state-last-ack
state $s $c state-established state-close-wait
state $s $c state-last-ack state-closed
state $s $c state-syn-received state-established" \
		"$(lines "^([a-z]+-(established|request)|state) ($c $s|$s $c) " | grep -v state-listen)" "the connection over $1"
	same "21005 21005 700 700" "$(sum send "$c" "$s") $(sum receive "$c" "$s") $(sum send "$s" "$c") $(sum receive "$s" "$c")" \
		"the bytes over $1"
	same "bytes_sent:$(sum send "$c" "$s") bytes_received:$(sum receive "$s" "$c") mss:$(
		awk -v c="$c" '$1 == "send" && $2 == c && $5 > n { n = $5 } END { print n }' "$tmp/out")" \
		"$(grep -oE 'bytes_(sent|received):[0-9]+' "$tmp/out" | paste -sd' ') $(grep -oE '\bmss:[0-9]+' "$tmp/out")" "what ss says"
	c=$(port refused 2) s=$(port refused 3)
	sorted "accept-refused $s $c $1
connect-refused $c $s $1
connect-request $c $s $1 $1 2 2
state $c $s state-closed state-syn-sent
state $c $s state-syn-sent state-closed" "$(lines "^(state|[a-z]+-[a-z]+) ($c $s|$s $c) ")" "the refusal over $1"
	c=$(port udp 2) s=$(port udp 3)
	same "udp-receive $c $s 1011 $1
udp-receive $c $s 1214 $1
udp-receive $c $s 1417 $1
udp-send $c $s 1011 $1
udp-send $c $s 1214 $1
udp-send $c $s 1417 $1" "$(lines "^udp-[a-z]+ $c $s ")" "the datagrams over $1"
	same "receive $2 1011 $3 $1
receive $2 1214 $3 $1
receive $2 1417 $3 $1
send $2 1011 $3 $1
send $2 1214 $3 $1
send $2 1417 $3 $1" "$(lines "^(send|receive) $2 .* $3 ")" "the packets of the datagrams over $1"
}
talk 127.0.0.1 4 'UDP<null>'
talk ::1 6 '<null>UDP'
