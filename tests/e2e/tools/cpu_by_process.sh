#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# CPU time by process: from on-cpu to off-cpu. A program that computes for 400 ms has that, and not more than the time that
# passed; one that sleeps as long has next to nothing.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	BEGIN { began = timestamp; }
	sched:::on-cpu /progenyof($target)/ { self->ts = timestamp; }
	sched:::off-cpu /self->ts/ {
		@cpu[execname] = sum(timestamp - self->ts);
		@slices[execname] = count();
		self->ts = 0;
	}
	END {
		normalize(@cpu, 1000000);
		printf("%-16s %8s %8s\n", "PROGRAM", "CPU(ms)", "SLICES");
		printa("%-16s %@8d %@8d\n", @cpu, @slices);
		printf("%-16s %8d\n", "ELAPSED", (timestamp - began) / 1000000);
	}
END
echo "$t/spin 400; $t/sleeper 400" >"$tmp/load"
dtx -s "$tmp/script.d" -c "sh $tmp/load"
ms() { awk -v name="$1" '$1 == name { print $2 }' "$tmp/out"; }
[ "$(ms spin)" -ge 390 ] && [ "$(ms spin)" -le "$(ms ELAPSED)" ] && [ "$(ms sleeper)" -le 200 ] ||
	{ cat "$tmp/out" >&2; fail "not the CPU time that was used"; }
