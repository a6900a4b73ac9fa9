#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# SIGINT and SIGTERM run END, print what was counted, and end at once and well; a closed pipe ends it quietly.
. "$(dirname "$0")/../lib.sh"
set -m # so that SIGINT is not ignored in the background

for signal in INT TERM; do
	: >"$tmp/out" # not the last round's
	rm -f "$tmp/out"
	"$DTX" -q -n 'BEGIN { @["one"] = count(); printf("ready\n"); } END { printf("the end\n"); }' \
		>"$tmp/out" 2>"$tmp/err" &
	begun
	start=${EPOCHREALTIME/[.,]/}
	kill -$signal $!
	wait $! || fail "the status after SIG$signal is $?"
	took=$((${EPOCHREALTIME/[.,]/} - start))
	grep -qx 'the end' "$tmp/out" || fail "END does not run after SIG$signal"
	[ "$(value one)" = 1 ] || fail "the aggregation is not printed after SIG$signal"
	[ $took -lt 5000000 ] || fail "ending takes $took us"
done

timeout 10 "$DTX" -q -n 'tick-10ms { printf("line\n"); }' 2>"$tmp/err" | head -n 1 >"$tmp/out"
[ "${PIPESTATUS[0]}" != 124 ] || fail "a closed pipe does not end it"
[ ! -s "$tmp/err" ] || fail "a closed pipe is not quiet: $(cat "$tmp/err")"
