#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# examples/profile.d: the samples of a known time on the CPU, with the stack; the filters.
. "$(dirname "$0")/tool.bash"

own spin known
run="$tmp/known 300" tool profile -n known -F 997 -t 1 -U
same 'known' "$(rows 'NF { print $1; exit }')" 'not the program'
grep -q 'known`burn' "$tmp/out" && grep -q 'known`main' "$tmp/out" || fail "not the stack: $(cat "$tmp/out")"
rows 'NF == 1 && $1 ~ /^[0-9]+$/ { n = $1 } END { exit !(n > 150 && n < 400) }' || fail "not the samples: $(cat "$tmp/out")"
run="$tmp/known 50" tool profile -n other
same '' "$(cat "$tmp/out")" 'samples of another name'
