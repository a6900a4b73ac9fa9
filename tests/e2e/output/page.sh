#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root chromium
# where: native
# timeout: 60
# waits: for a browser
#
# The page of --serve in a browser: its numbers are those that the run prints, the heat map moves, the flame graph is there,
# and the time line of --trace, or of a file that is opened.
. "$(dirname "$0")/../lib.sh"
plain 'a browser is no part of dtx'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'
/usr/bin/python3 -c 'import websockets' 2>/dev/null || skip 'python3-websockets is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
"$DTX" -q --serve 0 --trace "$tmp/line" --record "$tmp/run" -n '
	BEGIN { @fixed["one <i>"] = sum(1234567); @fixed["two"] = sum(89); @big = sum(9007199254740993); printf("first line\n"); }
	tick-100ms { @lat[execname] = quantize(1 << (n++ % 10)); @st[stack()] = count(); printf("line %d\n", n); }
	tick-100ms /n == 20/ { trace(*(int *)8); }
	syscall::clock_nanosleep:entry, syscall::clock_nanosleep:return /execname == "sleep"/ { trace(pid); @naps = count(); }
	tick-500ms { printa(@naps); }' >"$tmp/out" 2>"$tmp/err" &
pid=$!
bash -c 'while kill -0 $1 2>/dev/null; do sleep 0.2; done' load $pid &
awaits grep -q serving "$tmp/err"
link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
/usr/bin/python3 tests/browser/page.py "$link" "${DTX_PICTURES:-$tmp}" "$pid" >"$tmp/numbers" || fail "$(cat "$tmp/err")"
wait $pid || fail "the run ended with $?: $(cat "$tmp/err")"
# What the page showed last, and what the run printed at its end.
same "$(awk 'NF == 2 && $1 == "two" || NF == 3 && $1 == "one" { print $NF } NF == 1 && /^ +9007/ { print $1 }' "$tmp/out" | sort -n)" \
	"$(sort -n "$tmp/numbers")" 'numbers'

# The time line of a recording is all there when the page is opened.
"$DTX" -q -o /dev/null --serve 0 --replay "$tmp/run" --trace "$tmp/again" 2>"$tmp/replayed" &
pid=$!
awaits grep -q serving "$tmp/replayed"
PYTHONPATH=tests/browser /usr/bin/python3 - "$(sed -n 's/.*serving //p' "$tmp/replayed")" <<'END' || fail "$(cat "$tmp/replayed")"
import sys
from drive import Browser
with Browser() as page:
    page.open(sys.argv[1])
    page.until("line.rows().some(r => r.counter) && line.rows().some(r => r.thread && r.thread.spans.start.n)")
END
kill $pid
wait $pid
[ $? = 143 ] || fail 'a replay does not end with the signal'
