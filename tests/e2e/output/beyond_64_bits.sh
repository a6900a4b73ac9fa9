#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A sum of more than 64 bits in each output: exact, or as a floating-point number where the format has no more; in a replay, too.
# A bucket that has left 64 bits is no number anywhere.
# needs: root curl python3
# truth: aggregations | sums beyond 64 bits, and counts of histograms that are, in text, JSON, CSV, metrics, time lines | the numbers of python3
. "$(dirname "$0")/../lib.sh"
program='BEGIN { @s["k"] = sum(0x7fffffffffffffff); @s["k"] = sum(0x7fffffffffffffff); @a = stats(-0x7fffffffffffffff); @a = stats(-0x7fffffffffffffff);
	@a = stats(-0x7fffffffffffffff); exit(0); }
	BEGIN { @q["no number"] = quantize(1, -9223372036854775807 - 1); @q["no number"] = quantize(100, 5); }
	BEGIN { @q["large"] = quantize(1, 0x7fffffffffffffff); @q["large"] = quantize(2, 0x7fffffffffffffff); @q["large"] = quantize(4, 0x7fffffffffffffff); }'
sum=$(python3 -c 'print(2 * (2**63 - 1))') total=$(python3 -c 'print(-3 * (2**63 - 1))') counted=$(python3 -c 'print(3 * (2**63 - 1))')
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
"$DTX" -q --serve 0 -x metricstoken="$tmp/token" --trace "$tmp/trace" -n "${program/ exit(0);/} END { printa(@s); printa(@q); }" >/dev/null 2>"$tmp/err" &
pid=$!
awaits grep -q serving "$tmp/err"
address=$(sed -n 's,.*serving \(http://127.0.0.1:[0-9]*\)/.*,\1,p' "$tmp/err")
metrics() { curl -s -H "Authorization: Bearer $(cat "$tmp/token")" "$address/metrics" >"$tmp/metrics"; grep -qF " $sum" "$tmp/metrics" && grep -qF " $total" "$tmp/metrics"; }
awaits metrics
page=$(sed -n 's,.*serving ,,p' "$tmp/err")
grep -q '^dtx_q_bucket{.*="large",le="+Inf"} '"$counted"'$' "$tmp/metrics" || fail 'buckets whose sum is beyond 64 bits'
grep -q '^dtx_q_count{.*="large"} '"$counted"'$' "$tmp/metrics" || fail 'the sum of all buckets'
! grep -q '="no number"' "$tmp/metrics" || fail "a bucket that is no number: $(grep -m 1 '="no number"' "$tmp/metrics")"
has "$tmp/metrics" 'dtx_series_dropped{family="dtx_q",reason="beyond"} 1'
curl -s "${page%%\?*}heat?agg=2&${page#*\?}" >"$tmp/heat"
grep -q '64,null' "$tmp/heat" || fail "the heat map of a bucket that is no number: $(cut -c 1-300 "$tmp/heat")"
curl -s "${page%%\?*}rows?agg=2&n=9&${page#*\?}" >"$tmp/rows"
grep -q '> 64 bits' "$tmp/rows" || fail "the row of a bucket that is no number: $(cut -c 1-300 "$tmp/rows")"
kill $pid
wait $pid || fail "$(cat "$tmp/err")"
has "$tmp/trace" ":$sum"
grep -F '"name":"@q"' "$tmp/trace" >"$tmp/line"
has "$tmp/line" "{\"large\":$counted}"
# Such a row is larger than those that have numbers.
dtx -qn 'BEGIN { @q["some"] = quantize(1, 5); @q["no number"] = quantize(1, -9223372036854775807 - 1); trunc(@q, 1); exit(0); }'
grep -q 'no number' "$tmp/out" || fail "the largest row was cut off: $(cat "$tmp/out")"
