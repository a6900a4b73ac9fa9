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
 * A profiler sees only threads that run. This script shows the others: when a thread blocks, its
 * stack is stored; when it runs again, the time in between is added to that stack. Times are in
 * microseconds. The time a preempted thread waits for a CPU does not count.
 *
 * EXAMPLES
 *    offcpu.d                    all programs, until ^C
 *    offcpu.d mysqld 5           the five longest waits of mysqld
 *    offcpu.d ls -c 'ls -lR /'   the waits of ls, while a command runs
 */
#pragma D option defaultargs
#pragma D option dynvarsize=4m

/*
 * The current thread is the one that leaves the CPU. Its state is 0 if it is still runnable, 0x100
 * if it was preempted inside the kernel; one of the lower bits is set if it waits. Thread 0 is the
 * idle loop of each CPU.
 */
tracepoint:sched:sched_switch
/(prev_state & 0x7f) && prev_pid && ($$1 == "" || execname == $$1)/
{
	self->kernel = stack();
	self->user = ustack();
	self->left = timestamp;
}

/* The current thread is the one that comes back: so -p and --cgroup select both ends of a wait. */
sched:::on-cpu
/self->left/
{
	@us[execname, self->kernel, self->user] = sum((timestamp - self->left) / 1000);
	self->kernel = 0;
	self->user = 0;
	self->left = 0;
}

END
{
	trunc(@us, $2 ? $2 : 10);
	printa("\n%s%k%k%@16d us\n", @us);
}
