#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# --max-events N ends after exactly N records, --duration after its time; BEGIN and END do not count.
. "$(dirname "$0")/../lib.sh"

for n in 1 7 400; do
	dtx -q --max-events $n -n 'BEGIN { printf("begin\n"); } syscall::getpgid:entry { printf("event\n"); } END { printf("end\n"); }' \
		-c "$t/threads 4 2000 syscall"
	[ "$(grep . "$tmp/out" | sort | uniq -c | tr -s ' \n' ' ')" = " 1 begin 1 end $n event " ] || fail "$n: $(sort "$tmp/out" | uniq -c)"
done
[ "$(grep . "$tmp/out" | tail -n 1)" = end ] || fail 'END is not last'

start=${EPOCHREALTIME/[.,]/}
dtx -q --duration 300ms -n 'BEGIN { printf("begin\n"); } END { printf("end\n"); }'
took=$((${EPOCHREALTIME/[.,]/} - start))
[ $took -ge 300000 ] || fail "it ended after $took us"
[ "$(tr -s '\n' ' ' <"$tmp/out")" = 'begin end ' ] || fail "$(cat "$tmp/out")"
"$DTX" --duration soon -n 'BEGIN { exit(0); }' 2>"$tmp/err" && fail 'a duration of "soon"'
grep -q "'soon' is not a valid value" "$tmp/err" || fail "$(cat "$tmp/err")"
