#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/cpudist.d: 20 sleeps of 8 ms: 20 times off the CPU for so long, and as often on it.
. "$(dirname "$0")/tool.bash"

own sleeper known
load <<'END'
./known 8 20
END
tool cpudist -O -n known
rows '/\|/ && $1 >= 4096 { n += $NF } END { exit n < 20 }' || fail "not 20 sleeps: $(cat "$tmp/out")"
tool cpudist -n known
rows '/\|/ { n += $NF } END { exit n < 20 }' || fail "not 20 times: $(cat "$tmp/out")"
tool cpudist -P
grep -q '^known (us):' "$tmp/out" || fail 'not by program'
