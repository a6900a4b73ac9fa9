#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# examples/funclatency.d: a function that takes a known time.
. "$(dirname "$0")/tool.bash"

run="$t/sleeper 10 6" tool funclatency -P 'pid$target' -M a.out nap -u 1ms
grep -qx 'nap:' "$tmp/out" || fail "no function: $(cat "$tmp/out")"
rows '/\|/ { n += $NF; if ($1 < 8) low += $NF } END { exit !(n == 6 && low == 0) }' || fail "not six of 10 ms: $(cat "$tmp/out")"
run="$t/sleeper 10 6" tool funclatency -P 'pid$target' -M a.out nap -n other
same '' "$(cat "$tmp/out")" 'calls of another program'
