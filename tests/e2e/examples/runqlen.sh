#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf taskset
#
# examples/runqlen.d: three programs on one CPU: two of them wait; by CPU.
. "$(dirname "$0")/tool.bash"

load <<'END'
for i in 1 2 3; do taskset -c 0 "$t/spin" 100 & done
wait
END
tool runqlen -F 497
rows '/\|/ && $1 >= 2 { n += $NF } END { exit n < 30 }' || fail "not two that wait: $(cat "$tmp/out")"
tool runqlen -F 497 -C
rows '/CPU 0:/ { on = 1 } /CPU [1-9]/ { on = 0 } on && /\|/ && $1 >= 2 { n += $NF } END { exit n < 30 }' || fail "not on that CPU: $(cat "$tmp/out")"
