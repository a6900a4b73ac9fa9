#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/tcpaccept.d: one connection over IPv4 and one over IPv6, with their ports.
. "$(dirname "$0")/tool.bash"

own talk known
load <<'END'
{ ./known 127.0.0.1; ./known ::1; } >said
END
tool tcpaccept -n known
heading 'TIME PID PROGRAM IP REMOTE PORT LOCAL PORT'
same "$(awk '$1 == "tcp" { n++; a = n == 1 ? "127.0.0.1" : "::1"; print "known", (n == 1 ? 4 : 6), a, $2, a, $3 }' "$tmp/said")" \
	"$(rows 'NR > 1 { print $3, $4, $5, $6, $7, $8 }')" 'not the connections'
tool tcpaccept -n known -P 1
same 1 "$(wc -l <"$tmp/out")" 'connections to another port'
