#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/tcpstates.d: the states of a connection on both sides, of one that is refused, and of the server.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/talk" 127.0.0.1 >said
END
tool tcpstates
heading 'TIME PROGRAM LOCAL PORT REMOTE PORT FROM TO MS'
read -r _ client server <<<"$(grep '^tcp' "$tmp/said")"
same 'CLOSE SYN_SENT
SYN_SENT ESTABLISHED
ESTABLISHED FIN_WAIT1' "$(rows '$4 == '"$client"' { print $7, $8 }' | head -n 3)" 'not the states of the client'
same 'LISTEN SYN_RECV
SYN_RECV ESTABLISHED
ESTABLISHED CLOSE_WAIT
CLOSE_WAIT LAST_ACK
LAST_ACK CLOSE' "$(rows '$4 == '"$server"' && $6 == '"$client"' { print $7, $8 }')" 'not the states of the server'
read -r _ client server <<<"$(grep '^refused' "$tmp/said")"
same 'CLOSE SYN_SENT
SYN_SENT CLOSE' "$(rows '$4 == '"$client"' { print $7, $8 }')" 'not the one that is refused'
