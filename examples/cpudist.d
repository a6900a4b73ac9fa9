#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpudist.d - for how long do threads run before they leave the CPU?
 *
 * USAGE: cpudist.d [OPTION]... [TIME [COUNT]]
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

self uint64_t began;
self uint64_t left;

/* All of them fire in the thread that leaves or comes: so -p and --cgroup select it. */
tracepoint:sched:sched_switch
/!$off && self->began && ($name == "" || execname == $name)/
{
	@[$programs ? execname : "all"] = quantize((timestamp - self->began) / 1000);
}

/* Thread 0 is the idle loop of each CPU. */
tracepoint:sched:sched_switch
/prev_pid/
{
	self->began = 0;
	self->left = $off ? timestamp : 0;
}

sched:::on-cpu
/$off && self->left && ($name == "" || execname == $name)/
{
	@[$programs ? execname : "all"] = quantize((timestamp - self->left) / 1000);
}

sched:::on-cpu
/tid/
{
	self->left = 0;
	self->began = $off ? 0 : timestamp;
}

/* The first time of a new thread. */
proc:::lwp-start
/!$off && !self->began/
{
	self->began = timestamp;
}

END
{
	printa("\n%s (us):%@d\n", @);
}
