#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A full ring buffer: every record is printed or counted as a drop, by CPU and by probe; strict makes it a failure.
. "$(dirname "$0")/../lib.sh"

"$DTX" -x strict -x bufsize=4k -x bufresize=manual -x switchrate=1h -n 'syscall::getpgid:entry /pid == $target/ { trace(arg0); }' \
	-c "$t/threads 2 5000 syscall" >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status = 3 ] || fail "status $status, not 3: $(cat "$tmp/err")"
printed=$(grep -c 'getpgid:entry' "$tmp/out")
lost=$(awk '/^dtx: [0-9]+ drops? on CPU [0-9]+$/ { n += $2 } END { print n + 0 }' "$tmp/err")
[ "$lost" -gt 0 ] || fail "nothing was lost: $(cat "$tmp/err")"
[ $((printed + lost)) = 10000 ] || fail "$printed printed and $lost counted of 10000: $(cat "$tmp/err")"
grep -qE "^dtx: lost in all by syscall:[^:]*:getpgid:entry: $lost drops$" "$tmp/err" || fail "no account: $(cat "$tmp/err")"

# Nothing lost: strict says nothing.
dtx -x strict -qn 'syscall::getpgid:entry /pid == $target/ { @ = count(); }' -c "$t/threads 2 5000 syscall"
[ "$(tr -d ' \n' <"$tmp/out")" = 10000 ] || fail "not 10000: $(cat "$tmp/out")"
