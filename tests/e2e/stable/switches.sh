#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf python3
# where: both
#
# sched and sysinfo: how often a process gives up the CPU and loses it, as /proc/PID/status counts between two calls.
# truth: sched:::off-cpu | how often a process leaves the CPU | /proc/PID/status, both counts
# truth: sched:::on-cpu | as often as off-cpu | /proc/PID/status, both counts
# truth: sched:::sleep | how often it waits | voluntary_ctxt_switches
# truth: sched:::preempt | how often the CPU is taken from it | nonvoluntary_ctxt_switches
# truth: sched:::wakeup, args[1]->pr_pid | how often it is woken at least | its own waits
# truth: sysinfo:::pswitch | how often a process leaves the CPU | /proc/PID/status, both counts
# truth: sysinfo:::inv_swtch | how often the CPU is taken from it | nonvoluntary_ctxt_switches
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/naps.py" <<'PY'
import os, time
def mark(n):
    try: os.getpgid(1900000000 + n)
    except OSError: pass
def counts():
    f = open("/proc/self/status"); text = f.read()
    return [int(l.split()[1]) for l in text.splitlines() if "ctxt_switches" in l]
counts()
mark(1); a = counts(); mark(2)
for i in range(100): time.sleep(0.001)
mark(3); b = counts(); mark(4)
print("proc", b[0] - a[0], b[1] - a[1])
PY
# Inner: between the two readings; outer: around both.
dtx -qn 'syscall::getpgid:entry /pid == $target && arg0 > 1900000000/ { outer = arg0 < 1900000004; inner = arg0 == 1900000002; }
	sched:::off-cpu, sched:::on-cpu, sched:::sleep, sched:::preempt, sysinfo:::pswitch, sysinfo:::inv_swtch
	/pid == $target && outer/ { @outer[probename] = count(); }
	sched:::off-cpu, sched:::on-cpu, sched:::sleep, sched:::preempt, sysinfo:::pswitch, sysinfo:::inv_swtch
	/pid == $target && inner/ { @inner[probename] = count(); }
	sched:::wakeup /args[1]->pr_pid == $target && outer/ { @outer["wakeup"] = count(); }
	END { printa("outer:%s %@d\n", @outer); printa("inner:%s %@d\n", @inner); }' -c "python3 $tmp/naps.py"
read -r _ gave lost < <(grep ^proc "$tmp/out")
between() {                     # between NAME N
	local low high
	low=$(value "inner:$1") high=$(value "outer:$1")
	[ "$low" -le "$2" ] && [ $((high + $(skipped))) -ge "$2" ] || fail "$1: $low to $high, /proc says $2: $(cat "$tmp/out")"
}
# A sleep whose time is over before the thread has left the CPU gives nothing up.
[ "$gave" -ge 50 ] || fail "/proc: $(cat "$tmp/out")"
for name in off-cpu on-cpu pswitch; do between $name $((gave + lost)); done
between sleep "$gave"
for name in preempt inv_swtch; do between $name "$lost"; done
[ $(($(value outer:wakeup) + $(skipped))) -ge "$gave" ] || fail "woken $(value outer:wakeup) times"
