#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf gcc
# truth: tracepoint:, syscall::: beside perf | calls that perf records at the same time | the program's own 500 calls
#
# Others who count and record an event of the kernel get all of it while dtx traces it.
. "$(dirname "$0")/../lib.sh"
command -v perf >/dev/null || skip 'no perf here'
cat >"$tmp/calls.c" <<'END'
#include <unistd.h>
int main(void) { for (int i = 0; i < 500; i++) getppid(); }
END
gcc -o "$tmp/calls" "$tmp/calls.c" || fail 'gcc'
perf record -q -o "$tmp/perf.data" -e syscalls:sys_enter_getppid -e sched:sched_process_exit -- \
	"$DTX" -q -o "$tmp/out" -c "$tmp/calls" -n '
	tracepoint:syscalls:sys_enter_getppid /pid == $target/ { @event = count(); }
	syscall::getppid:entry /pid == $target/ { @call = count(); }
	tracepoint:sched:sched_process_exit /pid == $target/ { @exits = count(); }
	END { printa("%@u ", @event); printa("%@u ", @call); printa("%@u", @exits); }' || fail 'perf record'
[ "$(<"$tmp/out")" = '500 500 1' ] || fail "dtx: $(<"$tmp/out")"
perf script -i "$tmp/perf.data" >"$tmp/script" 2>/dev/null
[ "$(grep -c 'calls .*sys_enter_getppid' "$tmp/script")" = 500 ] || fail "perf: $(grep -c sys_enter_getppid "$tmp/script") calls"
[ "$(grep -c 'calls .*sched_process_exit' "$tmp/script")" = 1 ] || fail 'perf: no exit'
