#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: ss
#
# TCP by state and peer: the way of two connections through their states, at both ends, over two addresses; bytes sent to
# each peer.
. "$(dirname "$0")/../lib.sh"
modules inet_diag tcp_diag

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	tcp:::state-change /args[5]->tcps_state != args[3]->tcps_state/ {
		@moves[args[3]->tcps_raddr, tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state]] = count();
	}
	tcp:::send /args[2]->ip_plength > args[4]->tcp_offset/ {
		@bytes[args[2]->ip_daddr] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	}
	tcp:::connect-established, tcp:::accept-established { @opened[probename, args[3]->tcps_raddr] = count(); }
	END {
		printf("%-16s %-20s %-20s %s\n", "PEER", "FROM", "TO", "COUNT");
		printa("%-16s %-20s %-20s %@d\n", @moves);
		printa("bytes to %s: %@d\n", @bytes);
		printa("%s %s %@d\n", @opened);
	}
END
printf '%s 127.0.1.7\n%s 127.0.2.9\n' "$t/talk" "$t/talk" >"$tmp/load"
dtx -s "$tmp/script.d" -c "sh $tmp/load"
for peer in 127.0.1.7 127.0.2.9; do
	same "$peer state-close-wait state-last-ack 1
$peer state-closed state-syn-sent 2
$peer state-established state-close-wait 1
$peer state-established state-fin-wait-1 1
$peer state-last-ack state-closed 1
$peer state-syn-received state-established 1
$peer state-syn-sent state-closed 1
$peer state-syn-sent state-established 1" "$(awk -v peer=$peer '$1 == peer && !/fin-wait-2|time-wait|listen/ { print $1, $2, $3, $4 }' "$tmp/out" | sort)" \
		"the states of connections with $peer"
	same "bytes to $peer: 21705" "$(grep "^bytes to $peer:" "$tmp/out")" "the bytes"
	same "accept-established $peer 1
connect-established $peer 1" "$(grep "^[ac].*-established $peer " "$tmp/out" | sort)" "who opened connections"
done
