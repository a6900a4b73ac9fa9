#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: ss
# where: both
# timeout: 60
#
# tcpsinfo_t: at every segment of a connection, of either end, its initial sequence number is that of its SYN; windows,
# sizes and times are those of `ss -ti`. The probes of tcp and a tcp_sock that is translated agree.
. "$(dirname "$0")/lib.sh"
modules inet_diag tcp_diag

cat >"$tmp/tcps.d" <<-'END'
	#pragma D option quiet
	tcp:::connect-request { syn[args[3]->tcps_lport] = args[4]->tcp_seq; }
	tcp:::send /(args[4]->tcp_flags & TH_SYN) != 0/ { syn[args[3]->tcps_lport] = args[4]->tcp_seq; }
	tcp:::send /args[3]->tcps_snxt != 0/ {
		printf("iss %d %d %d\n", args[3]->tcps_lport, args[3]->tcps_iss - syn[args[3]->tcps_lport], args[3]->tcps_local);
	}
	tcp:::send /args[3]->tcps_rnxt != 0/ { printf("irs %d %d\n", args[3]->tcps_lport, args[3]->tcps_irs - syn[args[3]->tcps_rport]); }
	tcp:::send /(args[4]->tcp_flags & TH_FIN) != 0/ {
		this->t = (struct tcp_sock *)args[1]->cs_addr;
		printf("ss %d rto:%d mss:%d snd_wnd:%d wscale:%d,%d cwnd:%d\n", args[3]->tcps_lport, args[3]->tcps_rto, args[3]->tcps_mss,
		    args[3]->tcps_swnd, args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws, args[3]->tcps_cwnd / args[3]->tcps_mss);
		printf("same %d %d %d\n", args[3]->tcps_lport,
		    (xlate <tcpsinfo_t *>(this->t))->tcps_iss == args[3]->tcps_iss, (xlate <tcpsinfo_t *>(this->t))->tcps_local);
	}
END
for address in 127.0.0.1 ::1; do
	dtx -s "$tmp/tcps.d" -c "$t/talk $address"
	read -r client server < <(sed -n 's/^tcp //p' "$tmp/out")
	same "$(sort <<<"irs $client 0
irs $server 0
iss $client 0 1
iss $server 0 1
same $client 1 1
same $server 1 1")" "$(grep -E "^(iss|irs|same) ($client|$server) " "$tmp/out" | sort -u)" "sequence numbers over $address"
	grep -v "^ss " "$tmp/out" >"$tmp/said"
	for word in $(sed -n "s/^ss $client //p" "$tmp/out"); do
		# Older versions of ss have no snd_wnd.
		case $word in snd_wnd:*) grep -q snd_wnd: "$tmp/said" || continue ;; esac
		grep -qE "(^|[[:space:]])$word([[:space:]]|\$)" "$tmp/said" || { grep rto: "$tmp/said" >&2; fail "not what ss says over $address: $word"; }
	done
done
