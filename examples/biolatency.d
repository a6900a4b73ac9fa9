#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * biolatency.d - how are the times of the disks distributed?
 *
 * USAGE: biolatency.d [OPTION]... [TIME [COUNT]]
 *
 * Prints the distribution of the time of block requests, in microseconds, from the driver to the
 * end, or with --queue from the moment they are queued. Two humps are often a cache and a
 * disk. Without --disks the device is shown as 0,0.
 *
 * EXAMPLES
 *    biolatency.d                all disks together, until ^C
 *    biolatency.d -d -f          by device, and by operation
 */
#pragma D param disks,d flag "by device"
#pragma D param flags,f flag "by operation: R read, W write, D discard, F flush …"
#pragma D param name,n string "only requests of this program"
#pragma D param queue,Q flag "with the time in the queue of the kernel"
/* Disks answer in any thread: -p and --cgroup select by who gives the request to the disk. */
#pragma D option unfiltered=block_rq_complete

tracepoint:block:block_rq_insert
/$queue && ($name == "" || args.comm == $name)/
{
	start[dev, sector] = timestamp;
}

tracepoint:block:block_rq_issue
/(!$queue || !start[dev, sector]) && ($name == "" || args.comm == $name)/
{
	start[dev, sector] = timestamp;
}

tracepoint:block:block_rq_complete
/start[dev, sector]/
{
	@[$disks ? getmajor(dev) : 0, $disks ? getminor(dev) : 0, $flags ? rwbs : "all"] =
	    quantize((timestamp - start[dev, sector]) / 1000);
	start[dev, sector] = 0;
}

END
{
	printa("\n%d,%d %s (us):%@d\n", @);
}
