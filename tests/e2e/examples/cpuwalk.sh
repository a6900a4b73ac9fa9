#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf taskset
#
# examples/cpuwalk.d: a program that may run on one CPU only.
. "$(dirname "$0")/tool.bash"

own spin known
load <<'END'
taskset -c 0 ./known 200
END
tool cpuwalk -n known
rows '/\|/ && $1 == 0 { n = $NF } /\|/ && $1 != 0 { other += $NF } END { exit !(n > 100 && n < 300 && other <= 2) }' || fail "$(cat "$tmp/out")"
