#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: taskset
#
# Context switches by reason: the kernel says how often a program that naps 50 times left the CPU; what slept, was preempted
# or gave the CPU up adds up to it. Two programs on one CPU preempt each other.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/script.d" <<-'END'
	#pragma D option quiet
	syscall::getpgid:entry /progenyof($target) && execname == "counted"/ { self->on = 1; }
	syscall::getpid:entry /progenyof($target) && execname == "counted"/ { self->on = 0; }
	sched:::sleep, sched:::preempt, sched:::surrender /self->on/ { @[probename] = count(); }
	sysinfo:::pswitch, sysinfo:::inv_swtch /self->on/ { @info[probename] = sum(arg0); }
	sched:::preempt /progenyof($target) && execname == "spin"/ { @spin["spin-preempt"] = count(); }
	sched:::sleep /progenyof($target) && execname == "spin"/ { @spin["spin-sleep"] = count(); }
	END { printa("%-20s %@8d\n", @); printa("%-20s %@8d\n", @info); printa("%-20s %@8d\n", @spin); }
END
cat >"$tmp/load" <<-END
	$t/counted switches 50
	taskset -c 0 $t/spin 200 & taskset -c 0 $t/spin 200
	wait
END
dtx -s "$tmp/script.d" -c "bash $tmp/load"
read -r inner outer < <(grep -E '^[0-9]+ [0-9]+$' "$tmp/out")
n=$(($(value sleep) + $(value preempt)))
[ "$n" -ge "$inner" ] && [ "$n" -le "$outer" ] || { cat "$tmp/out" >&2; fail "$n switches, not $inner to $outer"; }
[ "$(value sleep)" -ge 50 ] && [ "$(value surrender)" = 0 ] || { cat "$tmp/out" >&2; fail "the naps"; }
same "$(value pswitch) $(value inv_swtch)" "$n $(value preempt)" "sysinfo and sched do not agree"
[ "$(value spin-preempt)" -ge 10 ] || { cat "$tmp/out" >&2; fail "two programs on one CPU are not preempted"; }
