#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc uprobes
# where: native
# timeout: 200
#
# A signal in front of each bpf(2) and perf_event_open(2) of a run (at most DTX_SIGNALS of each, in equal steps): dtx ends by itself, what
# began has its END, the command is not held; two or three interrupts as well, and signals that nobody handles.
. "$(dirname "$0")/../lib.sh"

plain 'sanitizers have an allocator of their own'
lib=$tmp/fail.so
gcc -O1 -shared -fPIC -o "$lib" tests/fault/fail.c || fail 'the library does not compile'
program='BEGIN { printf("began\n"); @a[execname] = count(); self->x = 1; }
	pid$target:a.out:main:entry, syscall::*nanosleep:entry /pid == $target/ { @c = count(); } tick-10ms { @t = count(); }
	END { printf("ended\n"); }'

cp "$t/sleeper" "$tmp/victim" || exit

# killed PID: by SIGKILL, where it is not held.
killed() { { ! grep -q '^State:.*[tT] (' "/proc/$1/status" && kill -KILL "$1" || [ ! -e "/proc/$1" ]; } 2>/dev/null; }

# run KIND:K SIGNAL TIMES MS: the command takes so many milliseconds; what is left of it is not held.
run() {
	local status pid
	DTX_FAIL=$1 DTX_FAIL_SIGNAL=$2 DTX_FAIL_TIMES=$3 DTX_FAIL_COUNT=$tmp/count LD_PRELOAD=$lib timeout -k 1 20 \
		"$DTX" -qn "$program" -c "$tmp/victim $4" >"$tmp/out" 2>"$tmp/err"
	status=$?
	for pid in $(pgrep -f "^$tmp/victim"); do
		until_true 5 killed "$pid" || fail "signal $2, $3 times, before $1: the command is held: $(grep State "/proc/$pid/status")"
	done
	return $status
}

# signal SIGNAL TIMES STATUS: before each call; the run ends with the status if it had not begun.
signal() {
	local kind n k status
	while read -r kind n; do
		case $kind in bpf | perf) ;; *) continue ;; esac
		for ((k = 1; k <= n; k += 1 + n / ${DTX_SIGNALS:-5}, tried++)); do
			run "$kind:$k" "$1" "$2" 100000
			status=$?
			case $status in
			0) ;;
			"$3") ! grep -q began "$tmp/out" || [ $1 = 3 ] || [ $2 = 3 ] || fail "signal $1 before $kind $k: status $status after BEGIN" ;;
			*) fail "signal $1 before $kind $k: status $status: $(cat "$tmp/err")" ;;
			esac
			[ $status != 0 ] || [ "$(grep -c began "$tmp/out")" = "$(grep -c ended "$tmp/out")" ] ||
				fail "signal $1, $2 times, before $kind $k: BEGIN without END: $(cat "$tmp/out" "$tmp/err")"
			! grep -v '^dtx: interrupted' "$tmp/err" >&2 || fail "signal $1 before $kind $k: $(cat "$tmp/err")"
		done
	done <"$tmp/counts"
}

run none 0 0 20 || fail "the run itself fails: $(cat "$tmp/err")"
grep -q began "$tmp/out" && grep -q ended "$tmp/out" || fail "$(cat "$tmp/out")"
cp "$tmp/count" "$tmp/counts"
tried=0
signal 2 1 130
signal 2 2 130
signal 2 3 130
signal 15 1 143
signal 1 1 129
signal 3 1 131
[ $tried -gt 30 ] || fail "only $tried signals were sent"

# A reader that does not read: the first waits for it, the third ends dtx.
mkfifo "$tmp/pipe"
exec 7<>"$tmp/pipe"
"$DTX" -qn 'tick-1ms { printf("%2000d\n", 1); }' >&7 2>"$tmp/err" &
until_true 10 blocked $! || fail 'dtx does not wait for the reader'
ended_by_signals() { ! kill -TERM $! 2>/dev/null; } # signals that come together are one
until_true 10 ended_by_signals || fail 'many signals do not end dtx'
wait $!
[ $? = 143 ] || fail 'the third signal does not end dtx'
same 'dtx: interrupted for the third time: ended at once' "$(cat "$tmp/err")" 'the message'
