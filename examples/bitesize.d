#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bitesize.d - how large are the requests to the disks, by program?
 *
 * USAGE: bitesize.d [OPTION]...
 *
 * Prints the distribution of the sizes of block requests in bytes, by the program that issued them.
 * Many small requests one after the other are slower than few large ones.
 *
 * EXAMPLES
 *    bitesize.d                  all programs, until ^C
 *    bitesize.d -n dd            one program
 */
#pragma D param name,n string "only those of this program"

tracepoint:block:block_rq_issue
/args.bytes && ($name == "" || args.comm == $name)/
{
	@[args.comm] = quantize(args.bytes);
}

END
{
	printa("\n%s (bytes):%@d\n", @);
}
