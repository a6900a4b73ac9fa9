#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * offcputime.d - where in their code do threads wait, and for how long?
 *
 * USAGE: offcputime.d [OPTION]... [-p PID]
 *
 * Sums the time off the CPU by the stack with which a thread left it, in microseconds, and prints
 * the longest ones last: the waits for disks, locks, sockets, timers. Together with profile.d, which
 * shows where threads run, this is all the time of a program. Threads that lost the CPU though they
 * could run are counted only with --all.
 *
 * EXAMPLES
 *    offcputime.d -n mysqld --duration 10s
 *    offcputime.d -t 3 -m 1ms    the three largest, without waits of less than a millisecond
 */
#pragma D param name,n string "only programs of this name"
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param min,m time 0 "only waits of at least this time"
#pragma D param all,a flag "also the time of threads that wait for a CPU"
#pragma D option dynvarsize=2m
#pragma D option aggtop=$top

tracepoint:sched:sched_switch
/prev_pid && ($all || prev_state & 0x7f) && ($name == "" || execname == $name)/
{
	self->kernel = stack();
	self->user = ustack();
	self->left = timestamp;
}

/* It fires in the thread that comes back: so -p and --cgroup select both ends of a wait. */
sched:::on-cpu
/self->left && timestamp - self->left >= $min/
{
	@[execname, self->kernel, self->user] = sum((timestamp - self->left) / 1000);
}

sched:::on-cpu
/self->left/
{
	self->kernel = 0;
	self->user = 0;
	self->left = 0;
}

END
{
	printa("\n%s%k%k%@16d us\n", @);
}
