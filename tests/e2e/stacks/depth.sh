#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc uprobes
#
# Stacks deeper than the kernel takes them, and what follows the frames: data are none.
. "$(dirname "$0")/../lib.sh"

printf 'int deep(int n) { return n ? deep(n - 1) + 1 : 0; } int main(void) { return deep(300) != 300; }' |
	gcc -x c -O0 -fno-omit-frame-pointer -o "$tmp/prog" - || fail "cannot compile"
most=/proc/sys/kernel/perf_event_max_stack
was=$(<$most)

# frames N OPTIONS…: how many frames of deep() a stack of at most N has.
frames() {
	local n=$1
	shift
	"$DTX" -q "$@" -n "pid\$target:prog:deep:entry /arg0 == 0/ { @[ustack($n)] = count(); }" -c "$tmp/prog" \
		>"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	grep -c 'prog`deep' "$tmp/out"
}
same 100 "$(frames 100)" "frames of ustack(100)"
same 301 "$(frames 400)" "frames of ustack(400)"
same "" "$(cat "$tmp/err")" "what is said of them"
same 301 "$(frames 600 -x maxframes=600)" "frames of ustack(600)"
grep -q "a stack has at most 512 frames, not 600" "$tmp/err" || fail "$(cat "$tmp/err")"
same "$was" "$(frames 400 -x ustackunwind=fp)" "frames by the kernel"
grep -q "at most $was frames of a stack, not 400" "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q "sysctl kernel.perf_event_max_stack=400" "$tmp/err" || fail "$(cat "$tmp/err")"
# set_most N: refused for as long as anybody takes stacks.
taken() { { echo "$1" >$most; } 2>/dev/null; }
set_most() { until_true 4 taken "$1"; }
trap 'set_most $was; rm -rf "$tmp"' EXIT
if set_most 512; then
	n=$(frames 400 -x ustackunwind=fp)       # without the caller of the last one, before 6.11
	[ "$n" = 300 ] || [ "$n" = 301 ] || fail "$n frames of ustack(400), where the kernel takes 512"
fi
dtx -qn 'BEGIN { ustack(); exit(0); }'
grep -q 'syscall' "$tmp/out" || fail "no stack: $(cat "$tmp/out")"
if grep -qE '\[heap\]|\[stack\]|^ *0x[0-9a-f]{1,4}$' "$tmp/out"; then fail "data are shown as frames: $(cat "$tmp/out")"; fi
