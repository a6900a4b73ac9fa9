#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: bpftrace
# timeout: 60
#
# The tools of Debian's package of bpftrace that have the same names say the same about one load. Both run at the same time.
. "$(dirname "$0")/tool.bash"

own cat reader
own stat asker
own bash killer
own sync syncer
echo 'sleep 5 & kill -15 $!; kill -0 999999' >"$tmp/kills"
load <<'END'
:>here
for i in 1 2 3; do ./reader here absent >/dev/null 2>&1; done
./asker here absent >/dev/null 2>&1
./killer ./kills 2>/dev/null
./syncer here
END

# beside NAME PEER_AWK OWN_AWK: both tools while the load runs; what the awk programs print of their output is the same.
beside() {
	local script peer mine i
	script=$(type -P "$1.bt") || return 0
	stdbuf -oL bpftrace "$script" >"$tmp/peer" 2>/dev/null & peer=$!
	"$DTX" -qs "examples/$1.d" -o "$tmp/mine" & mine=$!
	for ((i = 0; i < 200; i++)); do
		if [ -s "$tmp/mine" ] && [ "$(wc -l <"$tmp/peer")" -ge 2 ]; then break; fi
		sleep 0.05
	done
	sleep 0.5
	bash "$tmp/load"
	sleep 0.3
	kill -INT $peer
	kill -TERM $mine
	wait $peer $mine
	same "$(awk "$2" "$tmp/peer" | sort)" "$(awk "$3" "$tmp/mine" | sort)" "$1: not what the peer says"
	[ -n "$(awk "$3" "$tmp/mine")" ] || fail "$1: nothing was seen"
	n=$((n + 1))
	rm -f "$tmp/mine" "$tmp/peer"
}
n=0
beside opensnoop '$2 == "reader" && $3 < 3000 { print $2, $3, $4, $5 }' '$4 == "reader" { print $4, $5, $6, $7 }'
beside statsnoop '$2 == "asker" && $4 ~ /^(here|absent)$/ { print $2, $3, $4 }' '$3 == "asker" && $6 ~ /^(here|absent)$/ { print $3, $5, $6 }'
beside killsnoop '$3 == "killer" { print $2, $3, $4, $5, -$6 }' '$3 == "killer" { print $2, $3, $5, $6, $7 }'
beside syncsnoop '$3 == "syncer" { sub(/.*sys_enter_/, "", $4); print $2, $3, $4 }' '$3 == "syncer" { print $2, $3, $4 }'
[ $n -gt 0 ] || skip 'this package of bpftrace has no such tools'
