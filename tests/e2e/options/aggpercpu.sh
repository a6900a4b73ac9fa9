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
