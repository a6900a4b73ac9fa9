#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults.d - which programs cause page faults, and from where in their code?
 *
 * USAGE: faults.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Counts the page faults of user code by program: memory that is used for the first time, files
 * that are mapped, pages that are copied when they are written. With --stacks by user stack: who
 * touches new memory. On machines that are not x86 there are no such probes.
 *
 * EXAMPLES
 *    faults.d --duration 10s     programs, those with the most faults last
 *    faults.d -s -t 3 -n java    the three stacks with the most, of one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param stacks,s flag "by user stack"
#pragma D param top,t int 20 "how many rows to show"
#pragma D option aggtop=$top

vminfo:::as_fault
/!$stacks && ($name == "" || execname == $name)/
{
	@[pid, execname] = count();
}

vminfo:::as_fault
/$stacks && ($name == "" || execname == $name)/
{
	@stacks[execname, ustack()] = count();
}

END
/!$stacks/
{
	printf("%7s %-15s %10s\n", "PID", "PROGRAM", "FAULTS");
	printa("%7d %-15s %@10d\n", @);
}

END
/$stacks/
{
	printa("\n%s%k%@16d\n", @stacks);
}
