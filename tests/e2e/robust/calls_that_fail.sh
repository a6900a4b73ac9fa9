#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc uprobes
# beside: it compiles and starts programs for a minute or more
# timeout: 300
#
# Each bpf(2), perf_event_open(2) and mmap(2) of a run fails in turn, and one allocation in many (DTX_FAULT_STEP):
# either the run gives what it always gives, or there is a message; no crash, no hang; threads that cannot be made as well. A first
# program has variables, aggregations, system calls and timers, a second one probes of functions, instructions and USDT of a
# process, a third one walks over tasks.
. "$(dirname "$0")/../lib.sh"

plain 'sanitizers have an allocator of their own'
lib=$tmp/fail.so
gcc -O1 -shared -fPIC -o "$lib" tests/fault/fail.c || fail 'the library does not compile'

# run [KIND:K]: $program on $command.
run() {
	DTX_FAIL=${1:-} DTX_FAIL_COUNT=$tmp/count LD_PRELOAD=$lib timeout -k 1 20 "$DTX" -qn "$program" \
		-c "$command" >"$tmp/out" 2>"$tmp/err"
}

# each KIND N STEP: let the calls 1, 1 + STEP … N of the kind fail.
each() {
	local k status
	for ((k = 1; k <= $2; k += $3, tried++)); do
		run "$1:$k"
		status=$?
		case $status in
		0) cmp -s "$tmp/good" "$tmp/out" || [ -s "$tmp/err" ] || fail "$1 $k: other output, and no message: $(diff "$tmp/good" "$tmp/out")" ;;
		1 | 2) [ -s "$tmp/err" ] || fail "$1 $k: status $status without a message" ;;
		*) fail "$1 $k: status $status: $(cat "$tmp/err")" ;;
		esac
	done
}

# inject EXPECTED MOST LEAST: a good run gives a line like this; of allocations at most MOST are tried, of all calls at least LEAST.
inject() {
	local kind n step
	run || fail "the run itself fails: $(cat "$tmp/err")"
	cp "$tmp/out" "$tmp/good"
	cp "$tmp/count" "$tmp/counts"
	grep -q "$1" "$tmp/good" || fail "$(cat "$tmp/good")"
	tried=0
	while read -r kind n; do
		[ "$n" -gt 0 ] || [ "$kind" = perf ] || fail "no call of $kind is seen"
		step=1
		[ "$kind" != malloc ] || step=${DTX_FAULT_STEP:-$((n / $2))}
		each "$kind" "$n" "$step"
	done <"$tmp/counts"
	[ $tried -gt "$3" ] || fail "only $tried calls were made to fail"
}

program='BEGIN { @a[execname] = count(); self->x = 1; v[1] = 2; printf("%s %d\n", execname, v[1]); }
	syscall::getpgid:entry /pid == $target/ { @c = count(); @q[arg0 & 3] = quantize(arg0); }
	uprobe:libc:syscall:entry /pid == $target/ { @m = count(); } tick-1h { @t = count(); } END { trunc(@a, 1); }'
command="$t/threads 1 10 syscall"
inject '^  dtx' 15 100
program='BEGIN { printf("%s\n", execname); } pid$target:a.out:main:entry, pid$target:a.out:main:0, pid$target:a.out:main:return { @f[probename] = count(); }
	usdt:'$t/usdt'::* /pid == $target/ { @u[probename] = count(); }'
command="$t/usdt 3"
inject '^dtx' 5 100
program='iter:task { seen = 1; } END { printf("walked\n"); }'
command="$t/sleeper 10"
inject '^walked' 3 30
