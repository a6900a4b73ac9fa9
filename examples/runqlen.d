#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runqlen.d - how many threads wait for each CPU?
 *
 * USAGE: runqlen.d [OPTION]... [TIME [COUNT]]
 *
 * Samples the length of the run queue of each CPU: 0 means that nobody waits, the thread that runs
 * is not counted. Prints the distribution for all CPUs or by CPU. Short waits are seen better with
 * runqlat.d.
 *
 * EXAMPLES
 *    runqlen.d --duration 10s    all CPUs together
 *    runqlen.d -C                by CPU
 */
#pragma D param cpus,C flag "by CPU"
#pragma D param hz,F int 99 "samples of each CPU in a second"

/* The queue counts the thread that runs, unless the CPU is idle. */
inline int QUEUE = (int)curthread->se.cfs_rq->rq->nr_running;
inline int WAITING = QUEUE > 0 ? QUEUE - 1 : 0;

profile-$hz
/!$cpus/
{
	@all = lquantize(WAITING, 0, 64, 1);
}

profile-$hz
/$cpus/
{
	@[cpu] = lquantize(WAITING, 0, 64, 1);
}

END
/!$cpus/
{
	printf("threads that wait:");
	printa(@all);
}

END
/$cpus/
{
	printa("\nthreads that wait for CPU %d:%@d\n", @);
}
