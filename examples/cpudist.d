#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpudist.d - for how long do threads run before they leave the CPU?
 *
 * USAGE: cpudist.d [OPTION]...
 *
 * Prints the distribution of the time on the CPU, in microseconds, from one switch to the next.
 * With --off it is the time off the CPU: waiting, sleeping and in the run queue.
 *
 * EXAMPLES
 *    cpudist.d --duration 10s    ten seconds of the whole system
 *    cpudist.d -P                by program
 *    cpudist.d -O -n mysqld      off the CPU, of one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param programs,P flag "by program"
#pragma D param off,O flag "the time off the CPU"

uint64_t began[int, pid_t];
uint64_t left[pid_t];

tracepoint:sched:sched_switch
/!$off && began[cpu, prev_pid] && ($name == "" || args.prev_comm == $name)/
{
	@[$programs ? args.prev_comm : "all"] =
	    quantize((timestamp - began[cpu, prev_pid]) / 1000);
}

tracepoint:sched:sched_switch
/!$off/
{
	began[cpu, prev_pid] = 0;
	began[cpu, next_pid] = next_pid ? timestamp : 0;
}

tracepoint:sched:sched_switch
/$off && left[next_pid] && ($name == "" || args.next_comm == $name)/
{
	@[$programs ? args.next_comm : "all"] = quantize((timestamp - left[next_pid]) / 1000);
}

tracepoint:sched:sched_switch
/$off/
{
	left[next_pid] = 0;
	left[prev_pid] = prev_pid ? timestamp : 0;
}

END
{
	printa("\n%s (us):%@d\n", @);
}
