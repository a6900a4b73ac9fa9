#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * swapin.d - which programs wait for their memory to come back from swap, in each second?
 *
 * USAGE: swapin.d [OPTION]... [INTERVAL [COUNT]] [-p PID | -c COMMAND]
 *
 * Prints a table each interval with the pages that were read from swap, by the process that read
 * them: it waited for its own memory. A machine that swaps in all the time has too little memory.
 * anonpgpid.d counts the pages that go out as well. Needs probes on kernel functions.
 *
 * EXAMPLES
 *    swapin.d            each second, until ^C
 *    swapin.d 10 6       six times ten seconds
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D param name,n string "only programs of this name"
#pragma D option aggsortrev
#pragma D option aggtop=$top

vminfo:::anonpgin
/$name == "" || execname == $name/
{
	@[pid, execname] = sum(arg0);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%7s %-15s %10s\n", strftime("%H:%M:%S", walltimestamp), "PID", "PROGRAM",
	    "PAGES");
	printa("%7d %-15s %@10d\n", @);
	trunc(@);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
