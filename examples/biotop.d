#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * biotop.d - which programs make the disks work most?
 *
 * USAGE: biotop.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Prints, in each interval, the programs with the most bytes read from and written to disks, by
 * device, with the mean time of their requests at the disk in microseconds. What is written later
 * by the kernel belongs to a kernel thread.
 *
 * EXAMPLES
 *    biotop.d            each second, until ^C
 *    biotop.d -t 5 10 1  the top five of ten seconds
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D param name,n string "only requests of this program"
#pragma D option aggsortrev
#pragma D option aggtop=$top
/* Disks answer in any thread: -p and --cgroup select by who gives the request to the disk. */
#pragma D option unfiltered=block_rq_complete

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
	@bytes[issuer[dev, sector], getmajor(dev), getminor(dev), rwbs] =
	    sum(length[dev, sector]);
	@requests[issuer[dev, sector], getmajor(dev), getminor(dev), rwbs] = count();
	@us[issuer[dev, sector], getmajor(dev), getminor(dev), rwbs] =
	    avg((timestamp - start[dev, sector]) / 1000);
	start[dev, sector] = 0;
	length[dev, sector] = 0;
	issuer[dev, sector] = 0;
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%-15s %-9s %-4s %12s %9s %9s\n", strftime("%H:%M:%S", walltimestamp),
	    "PROGRAM", "DEVICE", "OP", "BYTES", "REQUESTS", "MEAN(us)");
	printa("%-15s %4d,%-4d %-4s %@12d %@9d %@9d\n", @bytes, @requests, @us);
	trunc(@bytes);
	trunc(@requests);
	trunc(@us);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
