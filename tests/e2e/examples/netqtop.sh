#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/netqtop.d: what goes over the loopback device, in packets and bytes.
# truth: netqtop | packets and bytes of lo | /proc/net/dev
. "$(dirname "$0")/tool.bash"

sent() { awk '$1 == "lo:" { print $11, $10 }' /proc/net/dev; }
load <<'END'
awk '$1 == "lo:" { print $11 }' /proc/net/dev >before
"$t/talk" 127.0.0.1 >said
awk '$1 == "lo:" { print $11 }' /proc/net/dev >after
END
tool netqtop -D lo
heading 'DEVICE WAY QUEUE PACKETS BYTES'
n=$(rows '$1 == "lo" && $2 == "out" { n += $4 } END { print n + 0 }')
least=$(($(cat "$tmp/after") - $(cat "$tmp/before")))
[ "$n" -ge "$least" ] && [ "$least" -ge 10 ] || fail "$n packets, the device has $least"
rows '$1 == "lo" { n += $5 } END { exit n < 21705 }' || fail "$(cat "$tmp/out")"
