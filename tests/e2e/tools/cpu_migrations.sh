#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# CPU migrations: a thread that runs on another CPU than the last time. One that moves itself 40 times has just those.
. "$(dirname "$0")/../lib.sh"

[ "$(nproc)" -ge 2 ] || skip "one CPU"
cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	syscall::getpgid:entry /progenyof($target) && execname == "counted"/ { self->on = 1; }
	syscall::getpid:entry /progenyof($target) && execname == "counted"/ { self->on = 0; }
	self int last;
	sched:::on-cpu /progenyof($target) && self->last && self->last != cpu + 1 && self->on/ {
		@moves[execname] = count();
		@way[execname, self->last - 1, cpu] = count();
	}
	sched:::on-cpu /progenyof($target)/ { self->last = cpu + 1; }
	END { printa("%s %@d\n", @moves); printa("%s from %d to %d: %@d\n", @way); }
END
dtx -s "$tmp/script.d" -c "$t/counted moves 40"
same 'counted 40
counted from 0 to 1: 20
counted from 1 to 0: 20' "$(grep ^counted "$tmp/out" | sort)" "not the moves made"
