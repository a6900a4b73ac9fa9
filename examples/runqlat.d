#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqlat.d - how long do threads wait for a CPU?
 *
 * USAGE: runqlat.d [OPTION]...
 *
 * Measures from the moment a thread could run (it was woken, or lost the CPU) until it runs, and
 * prints the distribution in microseconds. Long times mean that there are too few CPUs, or a limit
 * of a control group.
 *
 * EXAMPLES
 *    runqlat.d --duration 10s    ten seconds of the whole system
 *    runqlat.d -P                by program
 *    runqlat.d -n mysqld         one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param programs,P flag "by program"

tracepoint:sched:sched_wakeup,
tracepoint:sched:sched_wakeup_new
{
	ready[(int)args.pid] = timestamp;
}

/* A thread that leaves the CPU though it could run waits again. */
tracepoint:sched:sched_switch
/prev_pid && !(prev_state & 0x7f)/
{
	ready[prev_pid] = timestamp;
}

tracepoint:sched:sched_switch
/ready[next_pid] && ($name == "" || args.next_comm == $name)/
{
	@[$programs ? args.next_comm : "all"] = quantize((timestamp - ready[next_pid]) / 1000);
}

tracepoint:sched:sched_switch
/ready[next_pid]/
{
	ready[next_pid] = 0;
}

END
{
	printa("\n%s (us):%@d\n", @);
}
