#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Time in system calls by program and call, most first; what they are of the time that passed.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	self uint64_t in;
	dtrace:::BEGIN { self->in = 0; began = timestamp; }
	syscall:::entry /progenyof($target)/ { self->in = timestamp; }
	syscall:::return /self->in/ {
		@time[execname, probefunc] = sum(timestamp - self->in);
		@n[execname, probefunc] = count();
		@share[execname] = sum(timestamp - self->in);
		self->in = 0;
	}
	dtrace:::END {
		this->passed = (timestamp - began) / 1000000;
		normalize(@time, 1000000);
		normalize(@share, 1000000);
		printf("%-12s %-20s %10s %8s\n", "PROGRAM", "CALL", "MS", "COUNT");
		trunc(@time, 3);
		printa("%-12s %-20s %@10d %@8d\n", @time, @n);
		printa("share %s %@d\n", @share);
		printf("passed %d\n", this->passed);
	}
END
dtx -s "$tmp/script.d" -c "$t/sleeper 20 15"
awk '$1 == "sleeper" && $2 == "clock_nanosleep" { ok = $3 >= 300 && $4 == 15; ms = $3 }
	$1 == "share" && $2 == "sleeper" { ok = ok && $3 >= ms } $1 == "passed" { ok = ok && $2 >= ms }
	END { exit !ok }' "$tmp/out" || { cat "$tmp/out" >&2; fail "not the time of the naps"; }
