#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A program that names no probe (declarations alone, an empty one) ends with status 1 instead of waiting for ever;
# -e is content with it, and with -Z probes may still come.
. "$(dirname "$0")/../lib.sh"

printf 'int x;\n' >"$tmp/d.d" && : >"$tmp/empty.d"
status=0; "$DTX" -s "$tmp/d.d" >"$tmp/out" 2>"$tmp/err" || status=$?
same 1 $status 'status of declarations alone'
same '' "$(cat "$tmp/out")" 'what declarations print'
grep -q 'no probes matched' "$tmp/err" || fail "no reason is given: $(cat "$tmp/err")"
status=0; "$DTX" -x empty -s "$tmp/empty.d" 2>"$tmp/err" || status=$?
same 1 $status 'status of an empty program'
"$DTX" -q -e -s "$tmp/d.d" || fail '-e refuses declarations'

for args in '-e' '-e -q' '-e -b 4m' '-e -L /tmp' '-e -x strsize=10'; do
	same '' "$("$DTX" $args 2>&1 || echo "status $?")" "$args checks nothing"
done

# Options without a program ask for something, but for no probe; nothing at all is bad usage.
for args in '-q' '-c true' '-x strsize=10'; do
	status=0; "$DTX" $args >"$tmp/out" 2>"$tmp/err" || status=$?
	same "1 dtx: no probes specified" "$status $(cat "$tmp/err")" "$args alone"
done
for args in '' '-h' '-G'; do
	status=0; "$DTX" $args >"$tmp/out" 2>"$tmp/err" || status=$?
	same 2 $status "status of '$args'"
	grep -q '^usage:' "$tmp/err" || fail "no usage: $(cat "$tmp/err")"
done
