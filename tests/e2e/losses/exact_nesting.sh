#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 60
#
# Programs that interrupt one another on a CPU (timers, tracepoints, system calls, kernel functions) count exactly:
# all of them write one key with a string in it, and each has a number of its own to compare with. Where a program may be
# preempted, the kernel skips others meanwhile: those are told, and nothing else is lost.
. "$(dirname "$0")/../lib.sh"

program='syscall::getpgid:entry /pid == $target/ { @n["sys", strjoin(execname, "x")] = count(); @all[probeprov == "x"] = count(); self->a = arg0; v[arg0 & 7] += 1; }
	syscall::getpgid:return /pid == $target/ { @n["ret", strjoin(execname, "x")] = count(); @all[probeprov == "x"] = count(); @wrong[self->a < 0] = count(); }
	rawtp:raw_syscalls::sys_enter /pid == $target && args[1] == 121/ { @n["raw", strjoin(execname, "x")] = count(); @all[probeprov == "x"] = count(); }
	profile-4999 { @n["timer", strjoin(execname, "x")] = count(); @all[probeprov == "x"] = count(); @timer = count(); }'
if [ -e /sys/bus/event_source/devices/kprobe ]; then
	program+=' fbt::find_vpid:entry, fbt::'"$sys"'getpgid:entry /pid == $target/ { @n["kernel", strjoin(execname, "x")] = count(); @all[probeprov == "x"] = count(); }'
fi
calls=${DTX_CALLS:-200000}
[ -z "${DTX_GUEST:-}" ] || calls=800
"$DTX" -x strict -qn "$program"' END { printa("%s %s %@d\n", @n); printa("all %d %@d\n", @all); printa("timer %@d\n", @timer); }' \
	-c "$t/threads 4 $((calls / 4)) syscall" >"$tmp/out" 2>"$tmp/err"
status=$? skipped=$(skipped) may='samples? not taken by the kernel'        # timers are late on a busy machine
! preempts || may+='|skipped by the kernel'
lost_only "$may" $status
for kind in sys ret raw; do
	n=$(awk -v k=$kind '$1 == k { n += $3 } END { print n + 0 }' "$tmp/out")
	accounts "$n" "$calls" ||
		fail "$kind: $n and at most $skipped skipped, not $calls: $(cat "$tmp/out" "$tmp/err")"
done
sum=$(awk '$1 ~ /^(sys|ret|raw|kernel|timer)$/ && NF == 3 { n += $3 } END { print n + 0 }' "$tmp/out")
[ "$sum" = "$(awk '$1 == "all" { n += $3 } END { print n + 0 }' "$tmp/out")" ] || fail "by kind $sum: $(cat "$tmp/out")"
timers=$(awk '$1 == "timer" && NF == 3 { n += $3 } END { print n + 0 }' "$tmp/out")
[ "$timers" = "$(awk '$1 == "timer" && NF == 2 { print $2 }' "$tmp/out")" ] || fail "timers: $(cat "$tmp/out")"
