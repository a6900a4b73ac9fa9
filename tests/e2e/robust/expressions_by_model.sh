#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# timeout: 120
#
# Random integer expressions of all types and operators give what tests/gen/expr.c computes by
# D's rules. SEED and COUNT choose others: COUNT=1000 SEED=5000 is the long run, by hand.
. "$(dirname "$0")/../lib.sh"

gen=$(dirname "$DTX")/tests/gen/expr
[ -x "$gen" ] || make -s "$gen" >&2 || fail "no $gen"
first=${SEED:-1}
for ((seed = first; seed < first + ${COUNT:-16}; seed++)); do
	"$gen" $seed $((1 + seed % 30)) $((2 + seed % 6)) >"$tmp/x.d" 2>"$tmp/want"
	dtx -q -s "$tmp/x.d"
	sed -i '/^$/d' "$tmp/out"
	diff -u "$tmp/want" "$tmp/out" >&2 || fail "$gen $seed $((1 + seed % 30)) $((2 + seed % 6)) makes this program"
done
