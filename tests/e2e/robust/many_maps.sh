#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The kernel allows a program 64 maps. Clauses with more keyed aggregations than that are divided
# among programs and keep their order; the arrays of a single clause with more are maps in a map.
. "$(dirname "$0")/../lib.sh"

{
	echo 'int x;'
	for ((i = 0; i < 120; i++)); do echo "BEGIN { @k$i[x] = count(); x++; y[x, $((i % 90))] = 1; }"; done
	echo 'BEGIN { printf("%d\n", x); exit(0); }'
} >"$tmp/many.d"
dtx -qs "$tmp/many.d"
[ "$(head -n 1 "$tmp/out")" = 120 ] || fail "not all clauses ran: $(head -n 1 "$tmp/out")"
# The key of each is how many clauses ran before it.
same "$(seq -s ' ' 0 119)" "$(awk 'NF == 2 && $2 == 1 { print $1 }' "$tmp/out" | paste -sd ' ')" "order of clauses"

# Stacks of one depth share a map, and there are 70 depths.
for ((i = 1; i <= 70; i++)); do echo "BEGIN { @s[ustack($i)] = count(); }"; done >"$tmp/depths.d"
echo 'BEGIN { exit(0); }' >>"$tmp/depths.d"
dtx -qs "$tmp/depths.d"
same 70 "$(awk 'NF == 1 && /^ +[0-9]+$/ { n += $1 } END { print n }' "$tmp/out")" "clauses that took a stack"

{
	echo 'BEGIN {'; for ((i = 0; i < 100; i++)); do echo "x$i[pid] = $i;"; done
	echo 'sum = 0;'; for ((i = 0; i < 100; i++)); do echo "sum += x$i[pid];"; done
	echo 'printf("%d %d\n", sum, x99[pid + 1]); exit(0); }'
} >"$tmp/one.d"
dtx -qs "$tmp/one.d"
same '4950 0' "$(head -n 1 "$tmp/out")" "a clause with 100 arrays"

# Twenty keys in one clause fit the BPF stack.
{ echo 'BEGIN {'; for ((i = 0; i < 20; i++)); do echo "@k$i[pid, tid, $i] = sum($i);"; done; echo 'exit(0); }'; } >"$tmp/keys.d"
dtx -qs "$tmp/keys.d"
[ "$(grep -c '[0-9]' "$tmp/out")" = 20 ] || fail "not 20 rows"
