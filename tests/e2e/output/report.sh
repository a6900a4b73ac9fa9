#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root chromium
# where: native
# timeout: 90
# truth: report | 10,000 rows, the total of a flame graph, losses with what helps | keys 0 to 9,999, the sum of the aggregation
#
# --report: one file with all of the run, which a browser opens without dtx and without the network. --linger: the page stays
# after the run, and dtx ends by q or a signal.
. "$(dirname "$0")/../lib.sh"
plain 'a browser is no part of dtx'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'
/usr/bin/python3 -c 'import websockets' 2>/dev/null || skip 'python3-websockets is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
cat >"$tmp/run.d" <<'END'
int n;
tick-5ms /n < 100/ {
	for (this->i = 0; this->i < 100; this->i++) {
		@rows[this->i + 100 * n] = count();
		@st[this->i + 100 * n, stack()] = sum(3);
		@lost[this->i + 100 * n, 1] = count();
		@lost[this->i + 100 * n, 2] = count();
		@lost[this->i + 100 * n, 3] = count();
	}
	n++;
}
tick-5ms /n == 100/ { printf("</script> & <b> %d\n", n); exit(0); }
END
# stops HOW: the run is over, but the page answers, until HOW.
stops() {
	awaits grep -q 'the run has ended; its page stays' "$tmp/err"
	/usr/bin/python3 tests/browser/after.py linger "$link" 10000 || fail "the page after the run: $(cat "$tmp/err")"
	curl -s --max-time 5 "${link/\?/metrics?}" | grep -q '^dtx_rows' || fail 'no metrics after the run'
	[ "$(curl -s --max-time 5 "${link/\?/json?agg=0\&}" | grep -c '"type":"row"')" = 10000 ] || fail 'no rows as JSON after the run'
}
"$DTX" -o "$tmp/printed" -x aggsize=200k --report "$tmp/run.html" --serve 0 --linger -s "$tmp/run.d" 2>"$tmp/err" &
pid=$!
awaits grep -q serving "$tmp/err"
link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
stops
[ "$(stat -c %s "$tmp/run.html")" -lt 5000000 ] || fail "10,000 rows take $(stat -c %s "$tmp/run.html") bytes"
kill -INT $pid
wait $pid || fail "a run that lingered ended with $?: $(cat "$tmp/err")"
/usr/bin/python3 tests/browser/after.py report "$tmp/run.html" 10000 || fail 'the report'

# q at a terminal ends it, too, and the terminal is as before.
command -v script >/dev/null || skip 'script (bsdutils) is not installed'
mkfifo "$tmp/keys"
exec 9<>"$tmp/keys"               # an input that does not end
{ until_true 20 grep -qs 'its page stays' "$tmp/typed"; printf q; } >&9 &
timeout 20 script -qefc "$DTX --serve 0 --linger -n 'BEGIN { exit(0); }'" "$tmp/typed" <"$tmp/keys" >/dev/null || fail "q: $(cat "$tmp/typed")"
