#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root curl
# where: native
#
# A page that nobody reads is sampled seldom. Who comes then gets what is so now, not the values of the last sample.
. "$(dirname "$0")/../lib.sh"
plain 'the library that it loads is not instrumented'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

trap 'kill "${pid:-}" "${reader:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
# The next sample by the clock comes in an hour; a request for metrics makes one, and then nobody reads.
run() {
	rm -f "$tmp/err"
	"$DTX" -q --serve 0 -x refresh=1h -p $$ -n 'syscall::kill:entry /pid == $target && arg1 == 0/ { @n = count(); }' >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	awaits grep -qs 'serving http[^ ]*$' "$tmp/err"
	link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
	token=${link#*\?} base=${link%%\?*}
	until_true 20 counted || fail "metrics: $(cat "$tmp/metrics")"
	before=$(sed -n 's/^dtx_n_total //p' "$tmp/metrics")
	for _ in 1 2 3 4; do kill -0 $$; done
}
counted() { kill -0 $$; curl -s "${base}metrics?$token" >"$tmp/metrics"; grep -q '^dtx_n_total [1-9]' "$tmp/metrics"; }
ended() { kill -TERM "$pid"; wait "$pid" || fail "the run ended with $?: $(cat "$tmp/err")"; }

run
curl -s "${base}rows?$token&agg=0" >"$tmp/rows"
grep -q "\[\[$((before + 4))," "$tmp/rows" || fail "$((before + 4)) calls: $(cat "$tmp/rows")"
ended
run
curl -sN "${base}events?$token" >"$tmp/events" &
reader=$!
until_true 20 grep -q "\[\[$((before + 4))," "$tmp/events" || fail "$((before + 4)) calls: $(cat "$tmp/events")"
kill "$reader"
ended
