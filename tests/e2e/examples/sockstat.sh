#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/sockstat.d: a connection, one that is refused, and their sockets; the number of lines.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/talk" 127.0.0.1 >said
END
tool sockstat -i 1h
heading 'TIME SOCKETS OUT IN FAILED RESET RETRANS'
rows 'NR == 2 { exit !($2 >= 6 && $3 >= 2 && $4 >= 1 && $5 >= 1) }' || fail "$(cat "$tmp/out")"
"$DTX" -qs examples/sockstat.d 50ms 3 >"$tmp/out" 2>&1
same 4 "$(grep -c '[A-Z0-9]' "$tmp/out")" 'not three lines'
