#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: ss
# where: both
# timeout: 60
#
# tcpsinfo_t: at every segment of a connection, of either end, its initial sequence number is that of its SYN; windows,
# sizes and times are those of `ss -ti`. The probes of tcp and a tcp_sock that is translated agree.
# truth: tcpsinfo_t, tcps_iss, tcps_irs | initial sequence numbers of both ends | the SYN segments
# truth: tcpsinfo_t, tcps_local | both ends are here | 127.0.0.1 and ::1
# truth: tcpsinfo_t, tcps_active | who opened the connection | the program
# truth: tcpsinfo_t, tcps_rto, tcps_swnd, tcps_mss | times and sizes | ss -ti
# truth: tcpsinfo_t, tcps_snd_ws, tcps_rcv_ws | scaling of windows | ss -ti
# truth: tcpsinfo_t, tcps_cwnd | the congestion window | ss -ti
. "$(dirname "$0")/../lib.sh"
modules inet_diag tcp_diag

cat >"$tmp/tcps.d" <<-'END'
	#pragma D option quiet
	tcp:::connect-request { syn[args[3]->tcps_lport] = args[4]->tcp_seq; }
	tcp:::send /(args[4]->tcp_flags & TH_SYN) != 0/ { syn[args[3]->tcps_lport] = args[4]->tcp_seq; }
	tcp:::send /args[3]->tcps_snxt != 0/ {
		printf("iss %d %d %d\n", args[3]->tcps_lport, args[3]->tcps_iss - syn[args[3]->tcps_lport], args[3]->tcps_local);
		printf("active %d %d\n", args[3]->tcps_lport, args[3]->tcps_active);
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
printf '%s 127.0.0.1\n%s ::1\n' "$t/talk" "$t/talk" >"$tmp/script"
dtx -s "$tmp/tcps.d" -c "sh $tmp/script"
read -r c4 s4 c6 s6 < <(sed -n 's/^tcp //p' "$tmp/out" | paste -sd' ')
for port in $c4 $s4 $c6 $s6; do
	same "irs $port 0
iss $port 0 1
same $port 1 1" "$(grep -E "^(iss|irs|same) $port " "$tmp/out" | sort -u)" "sequence numbers at port $port"
done
same "$(printf 'active %d 1\nactive %d 0\nactive %d 1\nactive %d 0\n' "$c4" "$s4" "$c6" "$s6" | sort)" \
	"$(grep -E "^active ($c4|$s4|$c6|$s6) " "$tmp/out" | sort -u)" "who opened the connections"
grep -v "^ss " "$tmp/out" >"$tmp/said"
for word in $(sed -nE "s/^ss ($c4|$c6) //p" "$tmp/out"); do
	# Older versions of ss have no snd_wnd.
	case $word in snd_wnd:*) grep -q snd_wnd: "$tmp/said" || continue ;; esac
	grep -qE "(^|[[:space:]])$word([[:space:]]|\$)" "$tmp/said" || { grep rto: "$tmp/said" >&2; fail "not what ss says: $word"; }
done
