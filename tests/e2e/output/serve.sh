#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root curl
# where: native
# timeout: 90
# waits: for connections that are slow
# attack: another user asks each path of --serve without the token, with a wrong or cut one, or cookie | 401
# attack: a page of another site or port asks: Host, Origin, POST | 403, 405
# attack: a hundred clients that drip, silent ones, ones that never read | others are answered, those are cut off after 10 s
# attack: another user on the local socket | 401, whatever the mode of the socket
# attack: the token for metrics on other paths | 401
#
# --serve: what it answers, whom it refuses, and clients that misbehave, which tracing does not notice.
. "$(dirname "$0")/../lib.sh"
plain 'the library that it loads is not instrumented'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
# serve OPTION…: starts dtx on a free port; $link is what it printed, $pid its number.
serve() {
	rm -f "$tmp/err"
	"$DTX" -q "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	awaits grep -qs 'serving http[^ ]*$' "$tmp/err"
	link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
}
program='
/* Rounds of the "timer" \ of this test. */
tick-100ms { @rounds[execname, "a\"b\n\xff"] = count(); @q = quantize(9); @["@lost"] = count(); n++; }
tick-100ms /n == 5/ { printf("five \"%d\" <b>\n", n); }
tick-100ms /n == 5/ { trace(*(int *)8); }
BEGIN { @st[stack()] = count(); }'
serve --serve 0 --trace "$tmp/line" -n "$program"
/usr/bin/python3 tests/browser/faults.py "$link" || fail "$(cat "$tmp/err")"
port=${link##*:} port=${port%%/*}
"$DTX" -q --serve "$port" -n 'BEGIN { exit(0); }' >"$tmp/two" 2>&1 && fail 'two runs serve on one port'
grep -q "cannot serve on 127.0.0.1 port $port: Address already in use; choose another port" "$tmp/two" || fail "port in use: $(cat "$tmp/two")"
kill -TERM $pid
wait $pid || fail "the run ended with $?: $(cat "$tmp/err")"

# Each request for data needs the token of the link, or the cookie that the page then has.
serve --serve 0 --trace "$tmp/line" -n 'tick-1s { @n = count(); }'
case $link in *'/?token='????????????????????????????????) ;; *) fail "a link without a token: $link" ;; esac
/usr/bin/python3 tests/browser/faults.py --token "$link" || fail "$(cat "$tmp/err")"
kill -TERM $pid
wait $pid

# A token of its own opens the metrics, and nothing else.
echo 0123456789abcdef0123 >"$tmp/token"
serve --serve 0 -x metricstoken="$tmp/token" -n 'tick-100ms { @n = count(); }'
asked() { curl -s -o "$tmp/answer" -w '%{http_code}' --max-time 5 "$@"; }
same 200 "$(asked -H 'Authorization: Bearer 0123456789abcdef0123' "${link%%\?*}metrics")" 'the token for metrics'
same 401 "$(asked -H 'Authorization: Bearer 0123456789abcdef0123' "${link%%\?*}log")" 'the token for metrics, elsewhere'
same 401 "$(asked "${link%%\?*}metrics?token=0123456789abcdef0123")" 'the token for metrics, in the link'
kill -TERM $pid
wait $pid
echo short >"$tmp/token"
"$DTX" --serve 0 -x metricstoken="$tmp/token" -n 'BEGIN { exit(0); }' >"$tmp/two" 2>&1 && fail 'a short token is accepted'

# A socket of the file system: the user who runs dtx and root need no token, nobody else is let in.
sock=$(TMPDIR=/tmp mktemp -u)
"$DTX" -q --serve "$sock" -n 'BEGIN { printf("for root\n"); } tick-1s { @n = count(); }' >"$tmp/out" 2>"$tmp/err" &
pid=$!
awaits [ -S "$sock" ]
lets_root_in() { [ "$(asked --unix-socket "$sock" http://localhost/log)" = 200 ]; }
awaits lets_root_in
grep -q 'for root' "$tmp/answer" || fail "the socket: $(cat "$tmp/answer" "$tmp/err")"
same 600 "$(stat -c %a "$sock")" 'the mode of the socket'
chmod 666 "$sock"
if command -v setpriv >/dev/null; then
	same 401 "$(setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -o /dev/null -w '%{http_code}' --unix-socket "$sock" http://localhost/log)" 'another user'
fi
kill -TERM $pid
wait $pid
[ ! -e "$sock" ] || fail 'the socket is left'

for bad in x 70000 example.org:80 ::1:80; do
	"$DTX" --serve "$bad" -n 'BEGIN { exit(0); }' >"$tmp/two" 2>&1 && fail "--serve $bad is accepted"
	grep -q "option serve: '$bad': " "$tmp/two" || fail "--serve $bad: $(cat "$tmp/two")"
done

# A recording is shown until it is interrupted: its last rows, without metrics.
dtx -q --record "$tmp/run" -n 'BEGIN { @n["key"] = sum(4711); printf("line\n"); exit(0); }'
serve --serve 0 --replay "$tmp/run"
/usr/bin/python3 - "$link" <<'END' || fail "a replay: $(cat "$tmp/err")"
import json, sys, urllib.error, urllib.request
link, query = sys.argv[1].split("?")
get = lambda path: urllib.request.urlopen(link + path + ("&" if "?" in path else "?") + query, timeout=5).read()
rows, log = json.loads(get("rows?agg=0"))["rows"], json.loads(get("log"))["lines"]
values = [json.loads(line) for line in get("json?agg=0").splitlines()]
try:
    get("metrics")
    status = 200
except urllib.error.HTTPError as e:
    status = e.code
sys.exit(rows[0][:2] != ["key", 4711] or [*values[-1]["keys"].values()] != ["key"] or values[-1]["value"] != 4711 or "line" not in [text for _, text, _ in log] or status != 503)
END
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail 'a replay does not end with the signal'
