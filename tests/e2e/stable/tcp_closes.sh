#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: ss
# where: both
#
# tcp:::state-change of connections that end in five ways: the last state that is told is the one that ss shows, and
# the states before it follow each other.
# truth: tcp:::state-change, args[3]->tcps_state | the state in which connections are left | ss
# truth: tcp:::state-change, args[5]->tcps_state | the state before is the one told last | itself, 5 connections
. "$(dirname "$0")/../lib.sh"
modules inet_diag tcp_diag

dtx -qn 'tcp:::state-change { printf("state %d %d %s %s\n", args[3]->tcps_lport, args[3]->tcps_rport,
	tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]); }' -c "$t/closes"
states() { awk -v c="$1" -v s="$2" '$1 == "state" && $2 == c && $3 == s { print $4, $5 }' "$tmp/out"; }
left() { awk -v c=":$1" -v s=":$2" '$4 ~ c "$" && $5 ~ s "$" && NF >= 5 { print tolower($1) }' "$tmp/out"; }
functions='' && matches fbt::tcp_time_wait:entry && functions=1

while read -r how c s; do
	told=$(states "$c" "$s")
	awk 'NR > 1 && $1 != last { exit 1 } { last = $2 }' <<<"$told" || fail "$how: a state is missing: $told"
	last=${told##* state-}
	shown=$(left "$c" "$s")
	# Only functions of the kernel tell of what happens to the small sockets that wait.
	case $how:${functions:-none} in
	later:none | data:none | reset:none)
		[ "$last" != fin-wait-2 ] || continue ;;
	esac
	[ "$last" = "${shown:-closed}" ] || fail "$how: ss says ${shown:-nothing}, told is $told"
done < <(awk 'NF == 3 && /^(later|half|reset|data|abort) /' "$tmp/out")
grep -q '^abort ' "$tmp/out" || fail 'the program did not end'
grep -q 'state-fin-wait-2 state-time-wait$' "$tmp/out" || fail 'no connection waits'
