#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Waits for locks: time in futex by program, thread and lock. A thread that waits 12 times for a lock that is held for 20 ms.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	inline int FUTEX_WAIT = 0;
	inline int FUTEX_CMD = 0x7f;
	syscall::futex:entry /progenyof($target) && (arg1 & FUTEX_CMD) == FUTEX_WAIT/ {
		self->lock = arg0;
		self->start = timestamp;
	}
	syscall::futex:return /self->start && timestamp - self->start >= 10000000/ {
		@waits[execname, self->lock] = count();
		@time[execname, self->lock] = sum((timestamp - self->start) / 1000000);
		@stacks[execname, probefunc] = max((timestamp - self->start) / 1000000);
	}
	syscall::futex:return /self->start/ { self->lock = 0; self->start = 0; }
	END { printa("%s lock %u: %@d waits, %@d ms\n", @waits, @time); }
END
dtx -s "$tmp/script.d" -c "$t/chores locks 12 20"
lock=$(awk '$1 == "lock" { print $2 }' "$tmp/out")
# A waiter that begins late on a busy machine waits shorter.
awk -v lock="$lock:" '$1 == "chores" && $3 == lock { ok = $4 >= 9 && $4 <= 12 && $6 >= $4 * 10 } END { exit !ok }' "$tmp/out" ||
	{ cat "$tmp/out" >&2; fail "not the waits"; }
