#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wakeuptime.d - who ends the waits of threads, and from where in its code?
 *
 * USAGE: wakeuptime.d [OPTION]...
 *
 * Sums the time that a thread waited by the program that woke it and the kernel stack of the
 * wakeup, in microseconds; the longest come last. A wakeup in an interrupt has the program that was
 * interrupted.
 *
 * EXAMPLES
 *    wakeuptime.d -n mysqld      who wakes the threads of one program?
 *    wakeuptime.d -t 3           the three longest of the whole system
 */
#pragma D param name,n string "only the waits of programs of this name"
#pragma D param top,t int 10 "how many stacks to show"
#pragma D option dynvarsize=2m
#pragma D option aggtop=$top

/*
 * A wake-up fires in the thread that wakes, which may be any: -p, --comm and --cgroup do not select
 * it. They select the thread that waits.
 */
#pragma D option unfiltered=sched_waking

tracepoint:sched:sched_switch
/prev_pid && prev_state & 0x7f && ($name == "" || execname == $name)/
{
	left[prev_pid] = timestamp;
}

tracepoint:sched:sched_waking
/left[(int)args.pid]/
{
	@[args.comm, execname, stack()] = sum((timestamp - left[(int)args.pid]) / 1000);
	left[(int)args.pid] = 0;
}

END
{
	printa("\n%s was woken by %s%k%@16d us\n", @);
}
