#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.d - which code runs on the CPUs?
 *
 * USAGE: profile.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Samples all CPUs and prints the most frequent stacks with their number of samples, the kernel
 * part first. Idle CPUs are not counted. A thread that waits is not seen: see offcputime.d.
 *
 * EXAMPLES
 *    profile.d --duration 10s    ten seconds of the whole system
 *    profile.d -n mysqld -t 3    the three hottest stacks of one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param hz,F int 99 "samples of each CPU in a second"
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param user,U flag "only user code"
#pragma D param kernel,K flag "only kernel code"
#pragma D option ustackframes=60
#pragma D option aggtop=$top

profile-$hz
/pid && ($name == "" || execname == $name) && (!$user || arg1) && (!$kernel || arg0)/
{
	@[execname, stack(), ustack()] = count();
}

END
{
	printa("\n%s%k%k%@16d\n", @);
}
