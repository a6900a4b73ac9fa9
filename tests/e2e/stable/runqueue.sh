#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf chrt python3
# where: guest
# timeout: 60
#
# sched:::enqueue: a thread that lowers its priority of real time goes to the head of its queue, one that raises it to the
# end.
# truth: sched:::enqueue, args[3] | head or end of the queue | chrt
# truth: sched:::dequeue, enqueue | how often a thread of real time leaves its queue, and comes back | voluntary_ctxt_switches of /proc/self/status
. "$(dirname "$0")/../lib.sh"

dtx -qn 'sched:::enqueue /args[1]->pr_pid == $target && args[0]->pr_pri < 100/ { @[args[0]->pr_pri] = max(args[3] != 0); }
	END { printa("%d %@d\n", @); }' -c 'chrt -f 20 chrt -f 10 chrt -f 30 true'
same '69 0
79 0
89 1' "$(grep . "$tmp/out" | sort)" "the head of the queue"

# A thread of real time on one CPU leaves its queue to sleep, and for nothing else.
cat >"$tmp/sleeps.py" <<'PY'
import os, time
def mark(n):
    try: os.getpgid(2000000000 + n)
    except OSError: pass
def waits(): return int([l for l in open("/proc/self/status") if l.startswith("voluntary")][0].split()[1])
os.sched_setaffinity(0, {0})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(7))
before = waits()
mark(1)
for i in range(25): time.sleep(0.003)
mark(0)
print("own", waits() - before)
PY
dtx -qn 'int on; syscall::getpgid:entry /pid == $target && arg0 >= 2000000000/ { on = arg0 - 2000000000; }
	sched:::dequeue, sched:::enqueue /on && args[1]->pr_pid == $target && args[2]->cpu_id == 0/ { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c "python3 $tmp/sleeps.py"
own=$(awk '$1 == "own" { print $2 }' "$tmp/out")
[ "${own:-0}" -ge 25 ] || fail "the program did not wait: $(cat "$tmp/out" "$tmp/err")"
same "dequeue $own
enqueue $own" "$(grep queue "$tmp/out" | sort)" 'not how often the thread waited'
