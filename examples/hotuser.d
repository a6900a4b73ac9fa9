#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hotuser.d - which functions of programs use the CPUs?
 *
 * USAGE: hotuser.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Samples all CPUs and prints the functions of programs and libraries in which they were found, the
 * hottest last. Code without symbols is shown by its address.
 *
 * EXAMPLES
 *    hotuser.d -p 1234           process 1234, until ^C
 *    hotuser.d -l -n mysqld      by library, of one program
 */
#pragma D param hz,F int 997 "samples of each CPU in a second"
#pragma D param name,n string "only programs of this name"
#pragma D param top,t int 20 "how many functions to show"
#pragma D param libraries,l flag "by program and library, not by function"
#pragma D option aggtop=$top

profile-$hz
/arg1 && ($name == "" || execname == $name) && !$libraries/
{
	@functions[ufunc(arg1)] = count();
}

profile-$hz
/arg1 && ($name == "" || execname == $name) && $libraries/
{
	@libraries[umod(arg1)] = count();
}

END
{
	printf("%-48s %10s\n", $libraries ? "LIBRARY" : "FUNCTION", "SAMPLES");
	printa("%-48A %@10d\n", @functions);
	printa("%-48A %@10d\n", @libraries);
}
