#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqslower.d - which threads waited long for a CPU, and who had it before?
 *
 * USAGE: runqslower.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints a line when a thread begins to run that could have run for at least MIN: since it was
 * made or woken, or lost the CPU. The times are the kernel's own account. BEFORE is the program that left
 * this CPU. The distribution of all waits is in runqlat.d.
 *
 * EXAMPLES
 *    runqslower.d                waits of 10 ms and more, until ^C
 *    runqslower.d -m 1ms -n qemu only those of one program, from 1 ms on
 */
#pragma D param name,n string "only programs of this name"
#pragma D param min,m time 10ms "only waits of at least this time"
/* Who had the CPU before may be any thread: -p and --cgroup select by the one that comes. */
#pragma D option unfiltered=sched_switch

/* The sum of the thread's waits for a CPU, in nanoseconds. */
inline uint64_t WAITED = curthread->sched_info.run_delay;

string before[int];

BEGIN
{
	printf("%-8s %3s %7s %7s %-15s %10s %s\n", "TIME", "CPU", "PID", "TID", "PROGRAM", "US",
	    "BEFORE");
}

tracepoint:sched:sched_switch
{
	before[cpu] = execname;
}

tracepoint:sched:sched_switch
/prev_pid/
{
	self->before = WAITED;
	self->left = 1;
}

/* The two fire in the thread that begins to run: so -p and --cgroup select it. */
sched:::on-cpu,
proc:::lwp-start
{
	this->known = 0;
}

sched:::on-cpu
/self->left/
{
	this->known = 1;
	this->waited = WAITED - self->before;
	self->left = 0;
}

/* A new thread did not leave before. */
proc:::lwp-start
/!self->left/
{
	this->known = 1;
	this->waited = WAITED;
}

sched:::on-cpu,
proc:::lwp-start
/this->known && this->waited >= $min && ($name == "" || execname == $name)/
{
	printf("%-8s %3d %7d %7d %-15s %10d %s\n", strftime("%H:%M:%S", walltimestamp), cpu, pid,
	    tid, execname, this->waited / 1000, before[cpu]);
}
