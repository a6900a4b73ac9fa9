#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# System time by program: vtimestamp from the entry of each system call to its return. dd, which copies zeros, spends most of
# its CPU time there; one that sleeps in its calls uses no CPU.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	syscall:::entry /progenyof($target)/ { self->v = vtimestamp; self->t = timestamp; }
	syscall:::return /self->t/ {
		@sys[execname] = sum(vtimestamp - self->v);
		@elapsed[execname] = sum(timestamp - self->t);
		self->v = 0;
		self->t = 0;
	}
	END {
		normalize(@sys, 1000);
		normalize(@elapsed, 1000);
		printf("%-16s %12s %12s\n", "PROGRAM", "SYSTEM(us)", "ELAPSED(us)");
		printa("%-16s %@12d %@12d\n", @sys, @elapsed);
	}
END
cat >"$tmp/load" <<-END
	dd if=/dev/zero of=/dev/null bs=1M count=3000 status=none
	$t/sleeper 10 30
END
dtx -s "$tmp/script.d" -c "sh $tmp/load"
us() { awk -v name="$1" -v n="$2" '$1 == name { print $n }' "$tmp/out"; }
[ "$(us sleeper 3)" -ge 300000 ] && [ "$(us sleeper 2)" -le 100000 ] || { cat "$tmp/out" >&2; fail "the program that sleeps"; }
[ "$(us dd 2)" -ge 20000 ] && [ "$(us dd 2)" -le "$(us dd 3)" ] || { cat "$tmp/out" >&2; fail "the program that copies"; }
