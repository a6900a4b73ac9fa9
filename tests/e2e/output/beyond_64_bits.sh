#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A sum of more than 64 bits in each output: exact, or as a floating-point number where the format has no more; in a replay, too.
# needs: root curl python3
# truth: aggregations | sums beyond 64 bits in text, JSON, CSV, metrics, time lines | the numbers of python3
. "$(dirname "$0")/../lib.sh"
program='BEGIN { @s["k"] = sum(0x7fffffffffffffff); @s["k"] = sum(0x7fffffffffffffff); @a = stats(-0x7fffffffffffffff); @a = stats(-0x7fffffffffffffff);
	@a = stats(-0x7fffffffffffffff); exit(0); }'
sum=$(python3 -c 'print(2 * (2**63 - 1))') total=$(python3 -c 'print(-3 * (2**63 - 1))')
dtx -q --record "$tmp/run" -n "$program"
cp "$tmp/out" "$tmp/text"
show() { "$DTX" --replay "$tmp/run" "$@" 2>"$tmp/err" || fail "$*: $(cat "$tmp/err")"; }

has() { grep -qF -- "$2" "$1" || fail "no $2 in: $(cat "$1")"; }
has "$tmp/text" "$sum"
has "$tmp/text" "count 3, average -9223372036854775807, total $total"
show >"$tmp/again"
diff "$tmp/text" "$tmp/again" || fail 'the replay'
show --format json >"$tmp/json"
has "$tmp/json" "\"value\":$sum}"
has "$tmp/json" "\"value\":$total,\"count\":3,\"sum\":$total,\"average\":-9223372036854775807"
show -x jsonint=string --format json >"$tmp/json"
has "$tmp/json" "\"value\":\"$sum\""
show --format csv >"$tmp/csv"
has "$tmp/csv" ",$sum"
has "$tmp/csv" ",$total,3,$total"
show -x agghist >"$tmp/bars"
has "$tmp/bars" "|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ $sum"
echo 0123456789abcdef0123456789abcdef >"$tmp/token"
# Metrics, while the run goes on, and its time line.
plain 'no page is served'
"$DTX" -q --serve 0 -x metricstoken="$tmp/token" --trace "$tmp/trace" -n "${program/ exit(0);/} END { printa(@s); }" >/dev/null 2>"$tmp/err" &
pid=$!
awaits grep -q serving "$tmp/err"
address=$(sed -n 's,.*serving \(http://127.0.0.1:[0-9]*\)/.*,\1,p' "$tmp/err")
metrics() { curl -s -H "Authorization: Bearer $(cat "$tmp/token")" "$address/metrics" >"$tmp/metrics"; grep -qF " $sum" "$tmp/metrics" && grep -qF " $total" "$tmp/metrics"; }
awaits metrics
kill $pid
wait $pid || fail "$(cat "$tmp/err")"
has "$tmp/trace" ":$sum"
