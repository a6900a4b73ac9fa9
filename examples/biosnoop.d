#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * biosnoop.d - which requests go to the disks, from whom, and how long does each take?
 *
 * USAGE: biosnoop.d [OPTION]...
 *
 * Prints a line for each request when it completes. QUEUE is the time that it waited in the queue
 * of the kernel, DISK the time from the driver to the end, both in microseconds. OP is the
 * kernel's: R read, W write, D discard, F flush, then S synchronous, M metadata, A read-ahead.
 * PROGRAM is the thread that gave the request to the kernel, often a kernel thread.
 *
 * EXAMPLES
 *    biosnoop.d                  all requests, until ^C
 *    biosnoop.d -m 10ms          only those that took 10 ms at the disk
 */
#pragma D param min,m time 0 "only requests that take at least this long at the disk"
#pragma D param name,n string "only those of this program"
/* Disks answer in any thread: -p and --cgroup select by who gives the request to the disk. */
#pragma D option unfiltered=block_rq_complete

BEGIN
{
	printf("%-8s %7s %-15s %-9s %-4s %12s %8s %8s %8s\n", "TIME", "PID", "PROGRAM", "DEVICE",
	    "OP", "SECTOR", "BYTES", "QUEUE", "DISK");
}

/* Some requests go to the driver at once: then they are not inserted in a queue. */
tracepoint:block:block_rq_insert
{
	inserted[dev, sector] = timestamp;
}

tracepoint:block:block_rq_issue
/$name == "" || args.comm == $name/
{
	start[dev, sector] = timestamp;
	length[dev, sector] = args.bytes;
	issuer[dev, sector] = args.comm;
	process[dev, sector] = pid;
	waited[dev, sector] = inserted[dev, sector] ? timestamp - inserted[dev, sector] : 0;
}

tracepoint:block:block_rq_issue
{
	inserted[dev, sector] = 0;
}

tracepoint:block:block_rq_complete
/start[dev, sector] && timestamp - start[dev, sector] >= $min/
{
	printf("%-8s %7d %-15s %4d,%-4d %-4s %12d %8d %8d %8d\n",
	    strftime("%H:%M:%S", walltimestamp), process[dev, sector], issuer[dev, sector],
	    getmajor(dev), getminor(dev), rwbs, sector, length[dev, sector],
	    waited[dev, sector] / 1000, (timestamp - start[dev, sector]) / 1000);
}

tracepoint:block:block_rq_complete
/start[dev, sector]/
{
	start[dev, sector] = 0;
	length[dev, sector] = 0;
	issuer[dev, sector] = 0;
	process[dev, sector] = 0;
	waited[dev, sector] = 0;
}
