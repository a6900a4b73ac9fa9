#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqlat.d - how long do threads wait for a CPU?
 *
 * USAGE: runqlat.d [OPTION]... [TIME [COUNT]]
 *
 * Measures from the moment a thread could run (it was woken, or lost the CPU) until it runs, and
 * prints the distribution in microseconds. A thread counts from the first time that it leaves a CPU. Long times mean that there are too few CPUs, or a limit
 * of a control group.
 *
 * EXAMPLES
 *    runqlat.d --duration 10s    ten seconds of the whole system
 *    runqlat.d -P                by program
 *    runqlat.d -n mysqld         one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param programs,P flag "by program"

/* The kernel's own account of the thread: the sum of its waits for a CPU, in nanoseconds. */
inline uint64_t WAITED = curthread->sched_info.run_delay;

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
	this->ours = $name == "" || execname == $name;
}

sched:::on-cpu
/self->left && this->ours/
{
	@[$programs ? execname : "all"] = quantize((WAITED - self->before) / 1000);
}

/* A new thread did not leave before. */
proc:::lwp-start
/!self->left && this->ours/
{
	@[$programs ? execname : "all"] = quantize(WAITED / 1000);
}

sched:::on-cpu
/self->left/
{
	self->left = 0;
}

END
{
	printa("\n%s (us):%@d\n", @);
}
