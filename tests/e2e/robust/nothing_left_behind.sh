#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: bpftool
#
# After SIGKILL no program and no map of the run is left in the kernel.
. "$(dirname "$0")/../lib.sh"

bpftool prog list >"$tmp/progs" 2>"$tmp/err" || skip "bpftool cannot list programs here: $(head -n 1 "$tmp/err")"
objects() { { bpftool prog list; bpftool map list; } | grep -E '^[0-9]+:' | sed 's/:.*//' | sort; }
objects >"$tmp/before"
"$DTX" -q -n 'BEGIN { printf("ready\n"); } syscall:::entry { @[probefunc] = count(); } profile-99 { @p = count(); }' \
	>"$tmp/out" 2>"$tmp/err" &
begun
objects | comm -13 "$tmp/before" - >"$tmp/running"
kill -KILL $!
wait $! 2>/dev/null
[ -s "$tmp/running" ] || fail "its programs are not seen while it runs"
clean() { objects | comm -12 "$tmp/running" - >"$tmp/left"; [ ! -s "$tmp/left" ]; }
until_true 10 clean || fail "left behind: $(tr '\n' ' ' <"$tmp/left")"
