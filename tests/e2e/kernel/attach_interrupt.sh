#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# where: guest
# timeout: 100
#
# Every function of the kernel: that it takes long is told before, where it does; an interrupt ends the attaching, BEGIN
# and END run, and dtx is gone soon after, though the kernel may go on removing the probes, which it does to the last one.
. "$(dirname "$0")/../lib.sh"
set -m # so that SIGINT is not ignored in the background

left() { grep -c . /sys/kernel/debug/kprobes/list; }
before=$(left)
"$DTX" -n 'BEGIN { printf("begin\n"); @b = sum(77); } fbt:::entry { @ = count(); } END { printf("end\n"); }' >"$tmp/out" 2>"$tmp/err" &
dtx=$!
# Where the kernel has no link for many functions this takes minutes, and is told; else it is soon done.
told() { grep -qE 'takes about [0-9]+ s; name fewer, or press Ctrl-C' "$tmp/err" || grep -q begin "$tmp/out"; }
awaits told
began=$(grep -c begin "$tmp/out")
kill -INT $dtx
start=${EPOCHREALTIME/[.,]/}
wait $dtx || { cat "$tmp/err" >&2; fail "status $?"; }
took=$(((${EPOCHREALTIME/[.,]/} - start) / 1000))
cat "$tmp/err"
echo "ended in $took ms"
same "$(printf 'begin\nend')" "$(grep -oE 'begin|end' "$tmp/out")" "BEGIN and END"
grep -qE '^ +77$' "$tmp/out" || fail "the aggregation is not printed: one interrupt counts as two"
if [ "$began" = 0 ]; then
	grep -qE 'interrupted: [0-9]+ of [0-9]+ probes were not attached' "$tmp/err" || fail "what was left out is not told"
fi
[ "$took" -lt 10000 ] || fail "it took $took ms to end"
# What is left to the kernel ends as well.
removed() { [ "$(left)" -le "$before" ] && ! pgrep -x dtx-removes >/dev/null; }
until_true 10 removed
[ "$(left)" -le "$before" ] || fail "$(left) kernel probes are left, $before were there before"
