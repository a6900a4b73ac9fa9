#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/tcpdrop.d: a connection to a port that nobody listens on.
. "$(dirname "$0")/tool.bash"

"$DTX" -eqs examples/tcpdrop.d 2>/dev/null || skip 'the probe of this kernel has no reasons'
load <<'END'
"$t/talk" 127.0.0.1 >said
END
tool tcpdrop -s
heading 'TIME FROM PORT TO PORT REASON'
read -r _ client server <<<"$(grep '^refused' "$tmp/said")"
rows '$2 == "127.0.0.1" && $3 == '"$client"' && $4 == "127.0.0.1" && $5 == '"$server"' { print $6 }' | grep -q 'NO_SOCKET' || fail "$(cat "$tmp/out")"
grep -q 'tcp_v4_rcv' "$tmp/out" || fail "not the stack: $(cat "$tmp/out")"
