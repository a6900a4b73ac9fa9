#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/tcprtt.d: segments over loopback, with times of microseconds; by address.
. "$(dirname "$0")/tool.bash"

matches tracepoint:tcp:tcp_probe || skip 'this kernel has no tcp_probe'
load <<'END'
"$t/talk" 127.0.0.1
"$t/talk" ::1
END
tool tcprtt
rows '/\|/ { n += $NF } /\|/ && $1 > 1000000 { late += $NF } END { exit n < 4 || late }' || fail "$(cat "$tmp/out")"
tool tcprtt --remote
grep -q '^127.0.0.1 (us):' "$tmp/out" && grep -q '^::1 (us):' "$tmp/out" || fail "$(cat "$tmp/out")"
