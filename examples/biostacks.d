#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * biostacks.d - which code of the kernel makes the disks work, and how long does each path wait?
 *
 * USAGE: biostacks.d [OPTION]...
 *
 * Prints the distribution of the times of block I/O, in microseconds, by the kernel stack that gave
 * it to the block layer. So the paths of a file system's journal, of read-ahead and of swapping are
 * told apart. Those with the most I/O come last.
 *
 * EXAMPLES
 *    biostacks.d                 all programs, until ^C
 *    biostacks.d -t 3 -n dd      the three most frequent paths of one program
 */
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param name,n string "only those of this program"
#pragma D option aggtop=$top
#pragma D option dynvarsize=2m
/* Disks answer in any thread: -p and --cgroup select by who wants the request. */
#pragma D option unfiltered=block_rq_complete

/* A request is made here, in the thread that wants it; later others go on with it. */
tracepoint:block:block_getrq
/$name == "" || execname == $name/
{
	start[dev, sector] = timestamp;
	where[dev, sector] = stack();
	who[dev, sector] = execname;
}

tracepoint:block:block_rq_complete
/start[dev, sector]/
{
	@[who[dev, sector], where[dev, sector]] = quantize((timestamp - start[dev, sector]) / 1000);
	start[dev, sector] = 0;
	where[dev, sector] = 0;
	who[dev, sector] = 0;
}

END
{
	printa("\n%s%k%@d\n", @);
}
