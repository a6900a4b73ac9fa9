#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.e flag.s flag.Z opt.zdefs status.2
#
# END after exit() in BEGIN, several programs in their order, -e, statuses, ^C and a second one, errors of writing.
. "$(dirname "$0")/../lib.sh"

status() { # WANT ARG...
	local want=$1; shift
	timeout 20 "$DTX" "$@" >"$tmp/out" 2>"$tmp/err"
	local got=$?
	[ $got = "$want" ] || fail "status $got, not $want, of $*: $(cat "$tmp/err")"
}
status 7 -q -n 'BEGIN { exit(7); } END { printf("end\n"); }'
same $'end' "$(cat "$tmp/out")" 'END after exit() in BEGIN'
status 255 -q -n 'BEGIN { exit(-1); }'
status 1 -n 'BEGIN { trace( }'
status 1 -n 'nothing:::'
status 0 -Z -e -n 'nothing:::'
status 0 -e -n 'BEGIN { printf("not run"); exit(3); }'
[ ! -s "$tmp/out" ] || fail '-e runs the program'
[ ! -s "$tmp/err" ] || fail "-e enables nothing, and so counts nothing: $(cat "$tmp/err")"
status 2
status 2 -? 
status 2 -l -h
status 2 -hV
status 2 -lV

printf 'BEGIN { printf("s1\\n"); }\n' >"$tmp/1.d"
printf 'BEGIN { printf("s2\\n"); exit(0); }\n' >"$tmp/2.d"
status 0 -q -s "$tmp/1.d" -n 'BEGIN { printf("n1\n"); }' -s "$tmp/2.d"
same $'s1\nn1\ns2' "$(cat "$tmp/out")" 'programs in order'
status 0 -s "$tmp/1.d" -n 'BEGIN { } END { }' -s "$tmp/2.d"
grep -q "script '$tmp/1.d' matched 1 probe$" "$tmp/err" || fail "matched: $(cat "$tmp/err")"
grep -q "description 'BEGIN' matched 2 probes$" "$tmp/err" || fail "matched: $(cat "$tmp/err")"

status 0 -n 'BEGIN, dtrace:::END /pid/ { trace(1); }' -n 'BEGIN { exit(0); }'
same "dtx: description 'BEGIN, dtrace:::END' matched 2 probes
dtx: description 'BEGIN' matched 1 probe" "$(cat "$tmp/err")" 'descriptions as they were written'

for to in '>/dev/full' '-o /dev/full'; do
	eval "timeout 20 \"\$DTX\" -q -n 'tick-1ms { printf(\"%s\\n\", probename); }' $to" 2>"$tmp/err"
	[ $? = 1 ] || fail "a full disk is no error with $to"
	[ "$(grep -c . "$tmp/err")" = 1 ] && grep -q 'No space left' "$tmp/err" || fail "$to: $(cat "$tmp/err")"
done

set -m # so that SIGINT is not ignored in the background
started() { : >"$tmp/out"; "$DTX" "$@" >>"$tmp/out" & begun; } # the file is empty before: what was in it may say "ready"
started -q -n 'BEGIN { printf("ready\n"); @ = count(); } END { printf("end\n"); }'
kill -INT $! && wait $! || fail 'the status after ^C is not 0'
same $'ready\n\nend\n\n                1' "$(cat "$tmp/out")" '^C stands on a line of its own'
started -q -n 'BEGIN { printf("ready\n"); } END { printf("end\n"); }'
kill -TERM $! && wait $! || fail 'the status after SIGTERM is not 0'
same $'ready\nend' "$(cat "$tmp/out")" 'SIGTERM'
