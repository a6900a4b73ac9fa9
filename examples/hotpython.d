#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotpython.d - which code of Python programs uses the CPUs?
 *
 * USAGE: hotpython.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Samples all CPUs and prints the stacks of Python in which they were found, the hottest last: file,
 * line and function of each frame, the innermost first. Time in libraries and in the kernel counts
 * for the code that called them. The programs need no preparation.
 *
 * EXAMPLES
 *    hotpython.d -p 1234                    process 1234 and its children, until ^C
 *    hotpython.d -l -c 'python3 prog.py'    by line, without callers
 */
#pragma D param hz,F int 997 "samples of each CPU in a second"
#pragma D param name,n string "only programs of this name, not all that begin with python"
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param lines,l flag "by line, without callers"
#pragma D option grabonly
#pragma D option aggtop=$top

profile-$hz
/pid && ($target ? pid == $target || progenyof($target) :
    $name != "" ? execname == $name : index(execname, "python") == 0)/
{
	this->on = 1;
}

profile-$hz
/this->on && !$lines/
{
	@stacks[pystack()] = count();
}

profile-$hz
/this->on && $lines/
{
	@lines[pystack(1)] = count();
}

END
{
	printf("SAMPLES OF %s\n", $lines ? "LINES" : "STACKS");
	printa("%k%@16d\n", @stacks);
	printa("%k%@16d\n", @lines);
}
