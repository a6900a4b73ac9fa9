#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/tcpconnlat.d: a connection that is established and one that is refused.
. "$(dirname "$0")/tool.bash"

own talk known
load <<<'./known 127.0.0.1 >said'
tool tcpconnlat -n known
heading 'TIME PID PROGRAM LOCAL REMOTE PORT STATE US'
read -r _ _ server <<<"$(grep '^tcp' "$tmp/said")"
read -r _ _ refused <<<"$(grep '^refused' "$tmp/said")"
same "127.0.0.1 $server established
127.0.0.1 $refused refused" "$(rows '$3 == "known" && $8 < 1000000 { print $5, $6, $7 }')" 'not the connections'
tool tcpconnlat -n known -P "$refused" -m 1h
same 0 "$(rows '$3 == "known"' | wc -l)" 'connections of less than an hour'
