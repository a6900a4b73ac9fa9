#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Questions and answers in small datagrams, as those of DNS: how many, how large, and how long each answer takes, seen at the
# network. A server that answers 25 questions after 2 ms each.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	#pragma D option dynvarsize=8m
	udp:::send /args[4]->udp_length == 8 + $1/ {
		asked[args[3]->udps_lport, args[3]->udps_rport] = timestamp;
		@n[args[3]->udps_lport, args[3]->udps_rport, "asked"] = count();
	}
	udp:::receive /args[4]->udp_length == 8 + 2 * $1 && asked[args[3]->udps_lport, args[3]->udps_rport]/ {
		this->us = (timestamp - asked[args[3]->udps_lport, args[3]->udps_rport]) / 1000;
		@n[args[3]->udps_lport, args[3]->udps_rport, "answered"] = count();
		@least[args[3]->udps_lport] = min(this->us);
		@time[args[3]->udps_lport] = quantize(this->us);
		asked[args[3]->udps_lport, args[3]->udps_rport] = 0;
	}
	ip:::send /args[2]->ip_plength == 8 + $1 || args[2]->ip_plength == 8 + 2 * $1/ {
		@packets[args[2]->ip_plength, args[4]->ipv4_protostr] = count();
	}
	END {
		printa("from %d to %d %s %@d\n", @n);
		printa("least %d %@d us\n", @least);
		printa("%d\n%@d\n", @time);
		printa("packets %d %s %@d\n", @packets);
	}
END
size=$((300 + $$ % 200))
dtx -s "$tmp/script.d" $size -c "$t/chores asks 25 $size"
port() { awk -v name="$1" '$1 == name && NF == 2 { print $2 }' "$tmp/out"; }
c=$(port client) s=$(port server)
same "from $c to $s answered 25
from $c to $s asked 25" "$(grep "^from $c to $s " "$tmp/out" | sort)" "not the questions and answers"
[ "$(awk -v c="$c" '$1 == "least" && $2 == c { print $3 }' "$tmp/out")" -ge 2000 ] || { cat "$tmp/out" >&2; fail "an answer came too soon"; }
same 25 "$(histogram "$c" | awk '$1 >= 1024 { n += $2 } END { print n }')" "the distribution"
for n in $size $((2 * size)); do
	[ "$(awk -v n=$((8 + n)) '$1 == "packets" && $2 == n && $3 == "UDP" { print $4 }' "$tmp/out")" -ge 25 ] || fail "the packets of $n bytes"
done
