#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/softirqs.d: packets over loopback are received in soft interrupts.
. "$(dirname "$0")/tool.bash"

load <<'END'
"$t/chores" asks 20 100 >/dev/null
END
tool softirqs
heading 'SOFTIRQ TIME(us) COUNT'
rows '$1 == "NET_RX" { exit !($3 >= 40 && $2 > 0) }' || fail "$(cat "$tmp/out")"
tool softirqs -d
rows '/^NET_RX \(us\):/ { on = 1; next } /us\):/ { on = 0 } on && /\|/ { n += $NF } END { exit n < 40 }' || fail "$(cat "$tmp/out")"
