#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotkernel.d - which functions of the kernel use the CPUs?
 *
 * USAGE: hotkernel.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Samples all CPUs and prints the kernel functions in which they were found, the hottest last, with
 * their share of the samples in kernel code. Idle CPUs are counted only with --idle.
 *
 * EXAMPLES
 *    hotkernel.d --duration 10s
 *    hotkernel.d -m              by module
 */
#pragma D param hz,F int 997 "samples of each CPU in a second"
#pragma D param top,t int 20 "how many functions to show"
#pragma D param modules,m flag "by module, not by function"
#pragma D param idle,i flag "count idle CPUs, too"
#pragma D option aggtop=$top

profile-$hz
/arg0 && (pid || $idle) && !$modules/
{
	@functions[func(arg0)] = count();
}

profile-$hz
/arg0 && (pid || $idle) && $modules/
{
	@mods[mod(arg0)] = count();
}

END
{
	printf("%-48s %10s\n", $modules ? "MODULE" : "FUNCTION", "SAMPLES");
	printa("%-48a %@10d\n", @functions);
	printa("%-48a %@10d\n", @mods);
}
