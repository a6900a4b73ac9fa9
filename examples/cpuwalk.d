#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpuwalk.d - on which CPUs does each program run?
 *
 * USAGE: cpuwalk.d [OPTION]...
 *
 * Samples all CPUs and prints, for each program, how often it was found on each CPU. A program that
 * is always on one CPU cannot use the others.
 *
 * EXAMPLES
 *    cpuwalk.d --duration 10s    ten seconds of the whole system
 *    cpuwalk.d -n java           one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param hz,F int 997 "samples of each CPU in a second"

profile-$hz
/pid && ($name == "" || execname == $name)/
{
	@[execname] = lquantize(cpu, 0, 1024, 1);
}

END
{
	printa("\n%s (samples by CPU):%@d\n", @);
}
