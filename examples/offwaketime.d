#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offwaketime.d - where do threads wait, and who ends each wait?
 *
 * USAGE: offwaketime.d [OPTION]...
 *
 * Sums the time that threads wait by their own stack and by the program and stack that woke them,
 * in microseconds; the longest come last. So a wait is seen with its reason: who holds the lock, who
 * sends the answer.
 *
 * EXAMPLES
 *    offwaketime.d -n mysqld --duration 10s
 *    offwaketime.d -t 3          the three longest of the whole system
 */
#pragma D param name,n string "only the waits of programs of this name"
#pragma D param top,t int 10 "how many pairs of stacks to show"
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
	kernel[prev_pid] = stack();
	user[prev_pid] = ustack();
	left[prev_pid] = timestamp;
}

tracepoint:sched:sched_waking
/left[(int)args.pid]/
{
	@[args.comm, kernel[(int)args.pid], user[(int)args.pid], execname, stack()] =
	    sum((timestamp - left[(int)args.pid]) / 1000);
	left[(int)args.pid] = 0;
	kernel[(int)args.pid] = 0;
	user[(int)args.pid] = 0;
}

END
{
	printa("\n%s waits:%k%k\n%s wakes it:%k%@16d us\n", @);
}
