#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pythoncalls.d - which functions of a Python program are called, and how often?
 *
 * USAGE: pythoncalls.d [OPTION]... -p PID
 *        pythoncalls.d [OPTION]... -c COMMAND
 *
 * Counts the calls by file and function, with the probes function-entry of the interpreter. It must
 * be built with them (--with-dtrace), as that of Debian is; others may not have them.
 *
 * EXAMPLES
 *    pythoncalls.d -p 1234
 *    pythoncalls.d -t 5 -c 'python3 program.py'
 */
#pragma D param top,t int 20 "how many functions to show"
#pragma D option aggtop=$top

python$target:::function-entry
{
	@[basename(copyinstr(arg0)), copyinstr(arg1)] = count();
}

END
{
	printf("%-32s %-32s %10s\n", "FILE", "FUNCTION", "CALLS");
	printa("%-32s %-32s %@10d\n", @);
}

/* From 3.11 on, the interpreter reports most calls only while this probe is enabled, too. */
python$target:::line
/0/
{
}
