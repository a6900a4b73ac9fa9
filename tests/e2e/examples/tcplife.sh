#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/tcplife.d: the bytes of a known connection on both sides, and one that is refused.
. "$(dirname "$0")/tool.bash"

own talk known
for address in 127.0.0.1 ::1; do
	echo "./known $address >said" | load
	tool tcplife
	heading 'PID PROGRAM LOCAL PORT REMOTE PORT SENT RECEIVED MS'
	read -r _ client server <<<"$(grep '^tcp' "$tmp/said")"
	read -r _ none refused <<<"$(grep '^refused' "$tmp/said")"
	same "known $address $client $address $server 21005 700
known $address $server $address $client 700 21005
known $address $none $address $refused 0 0" "$(rows '$2 == "known" { print $2, $3, $4, $5, $6, $7, $8 }' | sort -k6,6nr)" 'not the connections'
done
