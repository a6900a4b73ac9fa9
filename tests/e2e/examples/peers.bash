# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the comparisons with the tools of Debian's package of bpftrace share. Sourced after load: . "$(dirname "$0")/peers.bash"
n=0

# beside NAME PEER_AWK OWN_AWK [OPTION…]: bpftrace's tool, and dtx's with the options, while the load runs; what the awk programs print of
# their output is the same, whatever its order. The peer says its two lines before it sets its probes, and waits in poll
# when it has set them, and when it has read all.
beside() {
	local script peer mine want
	script=$(type -P "$1.bt") || return 0
	: >"$tmp/peer" >"$tmp/mine"
	stdbuf -oL bpftrace "$script" >"$tmp/peer" 2>/dev/null & peer=$!
	"$DTX" -qn 'BEGIN { printf("ready\n"); }' -s "examples/$1.d" "${@:4}" -o "$tmp/mine" & mine=$!
	until_true 30 eval '[ "$(wc -l <"$tmp/peer")" -ge 2 ] && grep -q ready "$tmp/mine" && grep -q poll "/proc/$peer/wchan"'
	bash "$tmp/load" >/dev/null
	awaits grep -q poll "/proc/$peer/wchan"
	kill -INT $peer
	kill -TERM $mine
	wait $peer $mine
	want=$(awk "$2" "$tmp/peer" | sort)
	[ -n "$want" ] || fail "$1: the peer saw nothing: $(head -n 20 "$tmp/peer")"
	same "$want" "$(awk "$3" "$tmp/mine" | sort)" "$1: not what the peer says"
	n=$((n + 1))
}

# compared: how many tools were there.
compared() { [ $n -gt 0 ] || skip 'this package of bpftrace has no such tools'; }
