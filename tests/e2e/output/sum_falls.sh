#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# sum() is a counter for Prometheus until one of its rows falls, also while all together rise: a counter that falls is
# taken for one that began anew, and its rate is wrong.
# needs: root curl
. "$(dirname "$0")/../lib.sh"
plain 'no page is served'
echo 0123456789abcdef0123456789abcdef >"$tmp/token"
"$DTX" -q --serve 0 -x metricstoken="$tmp/token" -n "BEGIN { @held[\"a\"] = sum(100); @held[\"b\"] = sum(100); @up[1] = sum(1); }
	syscall::umask:entry /pid == $$/ { @up[1] = sum(1); @up[2] = sum(1); @held[\"a\"] = sum(-50); @held[\"b\"] = sum(100); }" >/dev/null 2>"$tmp/err" &
pid=$!
trap 'kill $pid; wait; rm -rf "$tmp"' EXIT
awaits grep -qs serving "$tmp/err"
address=$(sed -n 's,.*serving \(http://127.0.0.1:[0-9]*\)/.*,\1,p' "$tmp/err")
metrics() { curl -s -H "Authorization: Bearer $(cat "$tmp/token")" "$address/metrics" >"$tmp/metrics"; }
shows() { metrics && grep -q "^$1" "$tmp/metrics"; }
awaits shows 'dtx_held_total{.*="b"} 100$'
grep -q '^# TYPE dtx_held_total counter' "$tmp/metrics" || fail 'no counter before it falls'
umask 022
awaits shows 'dtx_up_total{.*="2"} 1$'
grep -q '^# TYPE dtx_held gauge' "$tmp/metrics" || fail "a row has fallen: $(grep held "$tmp/metrics")"
grep -q '^dtx_held{.*="a"} 50$' "$tmp/metrics" || fail "$(grep held "$tmp/metrics")"
grep -q '^# TYPE dtx_up_total counter' "$tmp/metrics" || fail 'a sum that rises is a counter'
