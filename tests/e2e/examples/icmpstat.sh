#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/icmpstat.d: datagrams to a port that nobody has open are answered by ICMP.
. "$(dirname "$0")/tool.bash"

load <<'END'
for i in 1 2 3 4 5; do { echo text >/dev/udp/127.0.0.1/9; } 2>/dev/null; done
END
tool icmpstat -i 1h
heading 'TIME RECEIVED SENT'
rows 'NR == 2 { exit !($2 >= 1 && $3 >= 1) }' || fail "$(cat "$tmp/out")"
