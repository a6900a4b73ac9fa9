#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root prometheus promtool
# where: native
# timeout: 90
# waits: for what is asked every second
#
# Prometheus scrapes two runs with the configuration of packaging/; one query adds both; histogram_quantile() is right
# within a bucket; labels of odd bytes arrive; the dashboard's queries find rows, the alerts are rules. A second Prometheus takes native histograms, which come as protocol buffers.
. "$(dirname "$0")/../lib.sh"
plain 'Prometheus is no part of dtx'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

ports=() pids=()
echo 0123456789abcdef0123456789abcdef >"$tmp/token"
trap 'kill "${pids[@]}" 2>/dev/null; wait; rm -rf "$tmp"' EXIT
for n in 1 2; do
	"$DTX" -q --serve 0 -x metricstoken="$tmp/token" -n "
		BEGIN { @bytes[\"a\\\"b\\\\\\n\"] = sum($n * 1000); @calls = count(); }
		BEGIN { @lat = quantize(100); @lat = quantize(100); @lat = quantize(100); @lat = quantize(5000 * $n); @ll = lquantize(25, 0, 100, 10); }
		profile-97 { @on[stack()] = count(); }
		BEGIN { @read_bytes[execname] = sum(8); @started[execname] = count(); @read_latency = quantize(70); trace(1); }
		tick-100ms { @read_bytes[execname] = sum(8); @started[execname] = count(); @read_latency = quantize(70); trace(*(int *)8); }
		tick-1s { @neg = sum(-1); }" >"$tmp/out$n" 2>"$tmp/err$n" &
	pids+=($!)
	awaits grep -q serving "$tmp/err$n"
	port=$(sed -n 's,.*serving http://127.0.0.1:\([0-9]*\)/.*,\1,p' "$tmp/err$n")
	[ -n "$port" ] || fail "run $n does not serve: $(cat "$tmp/err$n")"
	ports+=("$port")
done
sed -e 's/15s/1s/' -e "s,/etc/dtx/metrics.token,$tmp/token," -e "s/'127.0.0.1:9477'/'127.0.0.1:${ports[0]}', '127.0.0.1:${ports[1]}'/" packaging/prometheus/dtx.yml >"$tmp/prometheus.yml"
promtool check config "$tmp/prometheus.yml" >"$tmp/check" 2>&1 || fail "packaging/prometheus/dtx.yml: $(cat "$tmp/check")"
# start NAME OPTION…: one Prometheus; it listens on the next address, $listen.
listen=127.0.0.1:$((20000 + $$ % 10000))
start() {
	prometheus --config.file="$tmp/prometheus.yml" --storage.tsdb.path="$tmp/$1.data" --web.listen-address="$listen" "${@:2}" >"$tmp/$1" 2>&1 &
	pids+=($!)
}
start log
plain_one=$listen listen=127.0.0.1:$((30000 + $$ % 10000)) native_one=$listen
start native --enable-feature=native-histograms
listen=$plain_one

# query EXPRESSION: the values of its result, sorted.
query() {
	/usr/bin/python3 - "$listen" "$1" <<'END'
import json, sys, urllib.parse, urllib.request
url = f"http://{sys.argv[1]}/api/v1/query?" + urllib.parse.urlencode({"query": sys.argv[2]})
try:
    print("\n".join(sorted(r["value"][1] for r in json.load(urllib.request.urlopen(url, timeout=5))["data"]["result"])))
except OSError:
    pass
END
}
asked_both() { [ "$(query 'sum(up{job="dtx"}) + 0 * sum(dtx_bytes_total)')" = 2 ] && [ -n "$(query 'sum(dtx_neg)')" ]; }
until_true 30 asked_both
same 3000 "$(query 'sum(dtx_bytes_total)')" "both runs together: $(tail -n 3 "$tmp/log")"
same $'1000\n2000' "$(query 'dtx_bytes_total{key1="a\"b\\\n"} or {__name__="dtx_bytes_total"}')" 'each run'
same 2 "$(query 'count(dtx_bytes_total == on(instance) group_left() dtx_bytes_total)')" 'labels'
same 2 "$(query 'sum(dtx_calls_total)')" 'count'
same $'4\n4' "$(query 'dtx_lat_count')" 'counts of histograms'
# 6 of 8 values are 100, in the bucket 64..127; the others are in 4096..8191 and 8192..16383
within() { awk -v x="$(query "$1")" -v low="$2" -v high="$3" 'BEGIN { exit !(x != "" && x >= low && x <= high) }' || fail "$1 is $(query "$1")"; }
within 'histogram_quantile(0.5, sum by (le) (dtx_lat_bucket))' 63 127
within 'histogram_quantile(0.85, sum by (le) (dtx_lat_bucket))' 4095 8191
within 'histogram_quantile(0.99, sum by (le) (dtx_lat_bucket))' 8191 16383
within 'histogram_quantile(0.5, sum by (le) (dtx_ll_bucket))' 19 29

# The native form: no bucket is a series of its own, and one integer more than the last of a bucket belongs to it.
listen=$native_one
asked_native() { [ "$(query 'histogram_count(sum(dtx_lat))')" = 8 ] && [ -n "$(query 'sum(dtx_neg)')" ]; }
until_true 30 asked_native
same 8 "$(query 'histogram_count(sum(dtx_lat))')" "native histograms: $(tail -n 3 "$tmp/native")"
same '' "$(query 'dtx_lat_bucket')" 'classic buckets beside native ones'
same 3000 "$(query 'sum(dtx_bytes_total)')" 'numbers in protocol buffers'
same NaN "$(query 'histogram_sum(sum(dtx_lat))')" 'the sum is not known'
within 'histogram_quantile(0.5, sum(dtx_lat))' 64 128
within 'histogram_quantile(0.85, sum(dtx_lat))' 4096 8192
within 'histogram_quantile(0.99, sum(dtx_lat))' 8192 16384
within 'histogram_quantile(0.5, sum by (le) (dtx_ll_bucket))' 19 29
/usr/bin/python3 - "${ports[0]}" "$tmp/token" >"$tmp/metrics" <<'END'
import sys, urllib.request
request = urllib.request.Request(f"http://127.0.0.1:{sys.argv[1]}/metrics", headers={"Authorization": "Bearer " + open(sys.argv[2]).read().strip()})
print(urllib.request.urlopen(request, timeout=5).read().decode(), end="")
END
promtool check metrics <"$tmp/metrics" >"$tmp/check" 2>&1 && [ ! -s "$tmp/check" ] || fail "promtool: $(cat "$tmp/check")"
grep -q '^dtx_series_dropped{family="dtx_on",reason="stack"} [1-9]' "$tmp/metrics" && ! grep -q '^dtx_on' "$tmp/metrics" || fail 'stacks are series'
promtool check rules packaging/prometheus/dtx-alerts.yml >"$tmp/check" 2>&1 || fail "the alerts: $(cat "$tmp/check")"

# The dashboard: Prometheus takes each of its queries, and finds rows.
# truth: the dashboard's queries | each returns rows for two runs of the metrics that it shows | Prometheus
listen=$plain_one
/usr/bin/python3 - "$listen" packaging/prometheus/dtx-dashboard.json packaging/prometheus/dtx-alerts.yml >"$tmp/empty" <<'END'
import json, re, sys, urllib.parse, urllib.request
exprs = [t["expr"] for p in json.load(open(sys.argv[2]))["panels"] for t in p["targets"]]
exprs += [re.sub(r" [>=]=? 0$", "", e) for e in re.findall(r"^ +expr: (.*)$", open(sys.argv[3]).read(), re.M)]
assert len(exprs) > 14, exprs
for expr in exprs:
    expr = expr.replace("$__rate_interval", "8s").replace("$__range", "1m").replace("$job", "dtx").replace("$instance", ".*")
    url = f"http://{sys.argv[1]}/api/v1/query?" + urllib.parse.urlencode({"query": expr})
    answer = json.load(urllib.request.urlopen(url, timeout=5))
    if not answer["data"]["result"] and "losses" not in expr and "reason!=" not in expr:
        print("nothing:", expr)
END
[ $? = 0 ] && [ ! -s "$tmp/empty" ] || fail "the dashboard: $(cat "$tmp/empty")"
grep -q '^# TYPE dtx_neg gauge' "$tmp/metrics" || fail 'a sum that falls is no gauge'
