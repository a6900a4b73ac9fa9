#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: native
#
# examples/exporter.d: its metrics have the comments as help, and count what is started.
. "$(dirname "$0")/../lib.sh"
plain 'the library that it loads is not instrumented'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
"$DTX" -q --serve 0 -s examples/exporter.d >"$tmp/out" 2>"$tmp/err" &
pid=$!
awaits grep -q serving "$tmp/err"
link=$(sed -n 's/.*serving //p' "$tmp/err")
cp /bin/true "$tmp/counted5"
scrape() {
	/usr/bin/python3 -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1].replace("?", "metrics?"), timeout=5).read().decode())' \
		"$link" >"$tmp/metrics"
}
traces() { scrape 2>/dev/null && grep -q '^dtx_read_latency_count' "$tmp/metrics"; }
awaits traces
for _ in 1 2 3 4 5; do "$tmp/counted5"; done
scrape
kill $pid
wait $pid
grep -qx 'dtx_started_total{execname="counted5"} 5' "$tmp/metrics" || fail "started: $(grep -v bucket "$tmp/metrics")"
grep -qx '# HELP dtx_read_bytes_total Bytes that programs read, by name.' "$tmp/metrics" || fail 'help'
grep -qx '# TYPE dtx_read_latency histogram' "$tmp/metrics" || fail 'type'
