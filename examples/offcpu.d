#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offcpu.d - what do programs wait for: time off the CPU, by the stack that blocked?
 *
 * USAGE: offcpu.d [NAME [STACKS]]
 *
 *    NAME      only programs of this name (default: all)
 *    STACKS    how many of the longest waits to show (default: 10)
 *
 * A profiler sees only what runs. This is the other half: when a thread blocks its stack is kept,
 * and when it runs again the time since is added to that stack. Times are in microseconds; time
 * spent runnable, waiting for a CPU after it was preempted, does not count.
 *
 * EXAMPLES
 *    offcpu.d                    all programs, until ^C
 *    offcpu.d mysqld 5           the five longest waits of mysqld
 *    offcpu.d ls -c 'ls -lR /'   … while a command runs
 */
#pragma D option defaultargs
#pragma D option dynvarsize=32m

/*
 * The thread that leaves is the current one. Its state is 0 if it could go on, 0x100 if it was
 * preempted inside the kernel; what it waits in is one of the lower bits. Thread 0 is the idle
 * loop of each CPU.
 */
tracepoint:sched:sched_switch
/(prev_state & 0x7f) && prev_pid && ($$1 == "" || execname == $$1)/
{
	kernel[prev_pid] = stack();
	user[prev_pid] = ustack();
	left[prev_pid] = timestamp;
}

/* The thread that comes is not current yet, so its number is the key of what was kept. */
tracepoint:sched:sched_switch
/left[next_pid]/
{
	@us[args.next_comm, kernel[next_pid], user[next_pid]] = sum((timestamp - left[next_pid]) / 1000);
	kernel[next_pid] = 0;
	user[next_pid] = 0;
	left[next_pid] = 0;
}

END
{
	trunc(@us, $2 ? $2 : 10);
	printa("\n%s%k%k%@16d us\n", @us);
}
