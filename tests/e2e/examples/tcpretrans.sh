#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/tcpretrans.d: a connection that nobody answers is asked for again after a second.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/unheard" >said
END
tool tcpretrans
heading 'TIME LOCAL PORT REMOTE PORT STATE'
read -r _ client server <<<"$(grep '^unheard' "$tmp/said")"
same "127.0.0.1 $client 127.0.0.1 $server SYN_SENT" "$(rows '$3 == '"$client"' { print $2, $3, $4, $5, $6 }')" 'not the segment'
tool tcpretrans -C
read -r _ client server <<<"$(grep '^unheard' "$tmp/said")"
same "127.0.0.1 $client 127.0.0.1 $server 1" "$(rows '$2 == '"$client"' { print $1, $2, $3, $4, $5 }')" 'not the number'
