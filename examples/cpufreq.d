#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpufreq.d - at which frequencies do the CPUs run?
 *
 * USAGE: cpufreq.d [OPTION]...
 *
 * Prints the distribution of the frequencies that the governor of each CPU sets, in MHz, weighted
 * by the time in milliseconds until the next change. A machine whose hardware sets the frequency by
 * itself reports nothing, and so do most virtual machines.
 *
 * EXAMPLES
 *    cpufreq.d --duration 10s
 */
int mhz[unsigned int];
uint64_t since[unsigned int];

tracepoint:power:cpu_frequency
/since[args.cpu_id]/
{
	@[args.cpu_id] = lquantize(mhz[args.cpu_id], 0, 6000, 200,
	    (timestamp - since[args.cpu_id]) / 1000000);
}

tracepoint:power:cpu_frequency
{
	mhz[args.cpu_id] = args.state / 1000;
	since[args.cpu_id] = timestamp;
}

END
{
	printa("\nmilliseconds of CPU %d by MHz:%@d\n", @);
}
