#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: opt.aggpercpu
#
# aggpercpu: after each value a line for every CPU with its part of it; the parts add up.
. "$(dirname "$0")/../lib.sh"

dtx -q -x aggpercpu -n 'profile-997 { @ = count(); @q = quantize(5); n++; } profile-997 /n > 20/ { exit(0); }'
awk '
	/^ *[0-9]+$/ && !merged { merged = $1; next }
	/^    \[CPU [0-9]+\]/ && NF == 3 { if ($2 != cpus++ "]") exit 1; if (length($0) != 11 + 17) exit 2; sum += $3 }
	END { exit !(merged && sum == merged) }' "$tmp/out" || fail "the parts: $(cat "$tmp/out")"
[ "$(grep -c '^    \[CPU [0-9]*\]$' "$tmp/out")" = "$(grep -c '^    \[CPU [0-9]*\] ' "$tmp/out")" ] || fail "histograms: $(cat "$tmp/out")"

# A CPU that aggregated nothing has no least, no largest value and no average; its count and sum are 0.
rm "$tmp/out"
none='BEGIN { @least = min(-9); @most = max(9); @mean = avg(4); @dev = stddev(1); @dev = stddev(9); @sum = sum(4); @n = count(); exit(0); }'
dtx -q -x aggpercpu -n "$none"
cpus=$(nproc --all)
same "$((4 * (cpus - 1)))" "$(grep -c '^    \[CPU [0-9]*\]         no value$' "$tmp/out")" "CPUs without a value: $(cat "$tmp/out")"
same "$((2 * (cpus - 1)))" "$(grep -c '^    \[CPU [0-9]*\]                0$' "$tmp/out")" "CPUs with 0: $(cat "$tmp/out")"
! grep -q '9223372036854775' "$tmp/out" || fail "a value that was not there: $(cat "$tmp/out")"
dtx -q -x aggpercpu -x format=json -n "$none"
same 4 "$(grep -cE '"cpus":\[\{"cpu":[0-9]+,"value":-?[49]?[0-9]*[^{]*\}\]' "$tmp/out")" "JSON: $(cat "$tmp/out")"
