#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * anonpgpid.d - whose memory goes to the swap device, and who waits until it comes back?
 *
 * USAGE: anonpgpid.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Counts pages of anonymous memory (heaps, stacks) by the process that reads them from swap or
 * writes them there. Who reads waits for its own memory. Who writes is the one that needed room:
 * often kswapd, which frees memory for all. Needs probes on kernel functions.
 *
 * EXAMPLES
 *    anonpgpid.d                  until ^C
 *    anonpgpid.d -n java          one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param top,t int 20 "how many rows to show"
#pragma D option aggtop=$top

vminfo:::anonpgin
/$name == "" || execname == $name/
{
	@in[pid, execname] = sum(arg0);
}

vminfo:::anonpgout
/$name == "" || execname == $name/
{
	@out[pid, execname] = sum(arg0);
}

END
{
	printf("%7s %-15s %12s %12s\n", "PID", "PROGRAM", "PAGES-IN", "PAGES-OUT");
	printa("%7d %-15s %@12d %@12d\n", @in, @out);
}
