#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blocklat.d - how long do disks take, and which requests are slow?
 *
 * USAGE: blocklat.d [OPTION]... [MILLISECONDS]
 *
 *    MILLISECONDS    print only requests that take at least this long (default: 0, all)
 *
 * Measures from the moment a request is issued to the device until it completes. The time in the
 * queue is not included. OP is the kernel's: R read, W write, D discard, F flush, then
 * S synchronous, M metadata, A read-ahead. PROGRAM is the thread that issued the request, often
 * a kernel thread. The distribution by device and operation, in microseconds, follows at the end.
 *
 * EXAMPLES
 *    blocklat.d                  every request, until ^C
 *    blocklat.d 50               only requests of 50 ms or more
 */
#pragma D param name,n string "only requests of this program"
#pragma D option defaultargs
/* Disks answer in any thread: -p and --cgroup select by who gives the request to the disk. */
#pragma D option unfiltered=block_rq_complete

BEGIN
{
	printf("%-9s %-4s %12s %8s %8s %s\n", "DEVICE", "OP", "SECTOR", "BYTES", "US", "PROGRAM");
}

tracepoint:block:block_rq_issue
/$name == "" || args.comm == $name/
{
	start[dev, sector] = timestamp;
	length[dev, sector] = args.bytes;
	issuer[dev, sector] = args.comm;
}

tracepoint:block:block_rq_complete
/start[dev, sector]/
{
	this->us = (timestamp - start[dev, sector]) / 1000;
	@[getmajor(dev), getminor(dev), rwbs] = quantize(this->us);
}

tracepoint:block:block_rq_complete
/start[dev, sector] && this->us >= $1 * 1000/
{
	printf("%4d,%-4d %-4s %12d %8d %8d %s\n", getmajor(dev), getminor(dev), rwbs, sector,
	    length[dev, sector], this->us, issuer[dev, sector]);
}

tracepoint:block:block_rq_complete
/start[dev, sector]/
{
	start[dev, sector] = 0;
	length[dev, sector] = 0;
	issuer[dev, sector] = 0;
}

END
{
	printa("\n%d,%d %s (us):%@d\n", @);
}
