#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc uprobes
# timeout: 120
#
# Each bpf(2), perf_event_open(2) and mmap(2) of a run fails in turn, and one allocation in many (DTX_FAULT_STEP):
# either the run gives what it always gives, or there is a message; no crash, no hang.
. "$(dirname "$0")/lib.sh"

lib=$tmp/fail.so
gcc -O1 -shared -fPIC -o "$lib" tests/fault/fail.c || fail 'the library does not compile'
program='BEGIN { @a[execname] = count(); self->x = 1; v[1] = 2; printf("%s %d\n", execname, v[1]); }
	syscall::getpgid:entry /pid == $target/ { @c = count(); @q[arg0 & 3] = quantize(arg0); }
	uprobe:libc:syscall:entry /pid == $target/ { @m = count(); } tick-1h { @t = count(); } END { trunc(@a, 1); }'

# run [KIND:K]
run() {
	DTX_FAIL=${1:-} DTX_FAIL_COUNT=$tmp/count LD_PRELOAD=$lib timeout -k 1 20 "$DTX" -qn "$program" \
		-c "$t/threads 1 10 syscall" >"$tmp/out" 2>"$tmp/err"
}
run || fail "the run itself fails: $(cat "$tmp/err")"
cp "$tmp/out" "$tmp/good"
cp "$tmp/count" "$tmp/counts"
grep -q '^  dtx' "$tmp/good" || fail "$(cat "$tmp/good")"
tried=0
while read -r kind n; do
	[ "$n" -gt 0 ] || fail "no call of $kind is seen"
	step=1
	[ "$kind" != malloc ] || step=${DTX_FAULT_STEP:-$((n / 15))}
	for ((k = 1; k <= n; k += step, tried++)); do
		run "$kind:$k"
		status=$?
		case $status in
		0) cmp -s "$tmp/good" "$tmp/out" || [ -s "$tmp/err" ] || fail "$kind $k: other output, and no message: $(diff "$tmp/good" "$tmp/out")" ;;
		1 | 2) [ -s "$tmp/err" ] || fail "$kind $k: status $status without a message" ;;
		*) fail "$kind $k: status $status: $(cat "$tmp/err")" ;;
		esac
	done
done <"$tmp/counts"
[ $tried -gt 100 ] || fail "only $tried calls were made to fail"
