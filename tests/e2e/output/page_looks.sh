#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root chromium
# where: native
# timeout: 90
#
# The page of --serve on a screen and on a phone: no card lies over another, none leaves a hole, nothing is squeezed or drawn
# smaller than it can be read; what is empty says so; numbers have their units, and are exact; tables are sorted by keys, too.
. "$(dirname "$0")/../lib.sh"
plain 'a browser is no part of dtx'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'
/usr/bin/python3 -c 'import websockets' 2>/dev/null || skip 'python3-websockets is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
cat >"$tmp/deep.py" <<'END'
import os
def deeper(n):
    return list(map(deeper, [n - 1])) if n else os.getppid()
while True:
    deeper(30)
END
"$DTX" -q -o /dev/null --serve 0 -c "/usr/bin/python3 $tmp/deep.py" -n '
	int n;
	tick-100ms { @lat[pid + n++] = quantize(timestamp); @lin = lquantize((timestamp - vtimestamp) / 1000, 0, 2000, 500); }
	BEGIN { @most = max(1 << 20); @least = min(1); @big = sum(9007199254740993); }
	syscall::getppid:entry /pid == $target/ { @deep[ustack(100)] = count(); @os[probefunc] = count(); }
	syscall::reboot:entry { @none[pid] = quantize(1); @nostack[stack()] = count(); }' >"$tmp/out" 2>"$tmp/err" &
pid=$!
awaits grep -q serving "$tmp/err"
link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/err")
/usr/bin/python3 tests/browser/looks.py "$link" "${DTX_PICTURES:-$tmp}" || fail "$(cat "$tmp/err")"
