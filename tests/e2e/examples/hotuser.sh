#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# examples/hotuser.d: the function in which a known program spends its time; by library.
. "$(dirname "$0")/tool.bash"

own spin known
run="$tmp/known 300" tool hotuser -n known -t 1
heading 'FUNCTION SAMPLES'
rows 'NR == 2 { exit !($1 == "known`burn" && $2 > 100 && $2 < 400) }' || fail "$(cat "$tmp/out")"
run="$tmp/known 300" tool hotuser -n known -l
heading 'LIBRARY SAMPLES'
rows '$1 == "known" { exit !($2 > 150 && $2 < 400) }' || fail "$(cat "$tmp/out")"
