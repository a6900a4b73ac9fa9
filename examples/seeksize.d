#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seeksize.d - how far apart are the requests of a program on the disk?
 *
 * USAGE: seeksize.d [OPTION]...
 *
 * Prints the distribution of the distance, in sectors of 512 bytes, between the end of one request
 * and the begin of the next of the same program on the same disk: 0 goes on where the last one
 * ended. Negative distances go back.
 *
 * EXAMPLES
 *    seeksize.d                  all programs, until ^C
 *    seeksize.d -n dd            one program
 */
#pragma D param name,n string "only those of this program"

int64_t ended[dev_t, string];
int known[dev_t, string];

tracepoint:block:block_rq_issue
/args.bytes && ($name == "" || args.comm == $name) && known[dev, args.comm]/
{
	@[args.comm] = quantize((int64_t)sector - (int64_t)ended[dev, args.comm]);
}

tracepoint:block:block_rq_issue
/args.bytes && ($name == "" || args.comm == $name)/
{
	known[dev, args.comm] = 1;
	ended[dev, args.comm] = sector + nr_sector;
}

END
{
	printa("\n%s (sectors):%@d\n", @);
}
