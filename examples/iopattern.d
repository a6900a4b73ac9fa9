#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iopattern.d - do the disks work in sequence or at random, and with which sizes?
 *
 * USAGE: iopattern.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Prints a line for each device in each interval. RAN and SEQ are per cent of the requests: SEQ
 * begins where the last one on the device ended. MIN, MAX and AVG are sizes in bytes. KR and KW are
 * kilobytes read and written. Requests without data (flush) are not counted.
 *
 * EXAMPLES
 *    iopattern.d       each second, until ^C
 *    iopattern.d 10 6  six times ten seconds
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param name,n string "only requests of this program"

sector_t last[dev_t];

tracepoint:block:block_rq_issue
/args.bytes && ($name == "" || args.comm == $name)/
{
	this->ran = last[dev] != sector;
	last[dev] = sector + nr_sector;
	@ran[getmajor(dev), getminor(dev)] = avg(this->ran * 100);
	@seq[getmajor(dev), getminor(dev)] = avg(100 - this->ran * 100);
	@n[getmajor(dev), getminor(dev)] = count();
	@min[getmajor(dev), getminor(dev)] = min(args.bytes);
	@max[getmajor(dev), getminor(dev)] = max(args.bytes);
	@avg[getmajor(dev), getminor(dev)] = avg(args.bytes);
	@kr[getmajor(dev), getminor(dev)] = sum(index(rwbs, "R") >= 0 ? args.bytes : 0);
	@kw[getmajor(dev), getminor(dev)] = sum(index(rwbs, "W") >= 0 ? args.bytes : 0);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	normalize(@kr, 1024);
	normalize(@kw, 1024);
	printf("\n%s\n%-9s %5s %5s %8s %8s %8s %8s %9s %9s\n",
	    strftime("%H:%M:%S", walltimestamp), "DEVICE", "RAN%", "SEQ%", "COUNT", "MIN", "MAX",
	    "AVG", "KR", "KW");
	printa("%4d,%-4d %@5d %@5d %@8d %@8d %@8d %@8d %@9d %@9d\n", @ran, @seq, @n, @min, @max,
	    @avg, @kr, @kw);
	trunc(@ran);
	trunc(@seq);
	trunc(@n);
	trunc(@min);
	trunc(@max);
	trunc(@avg);
	trunc(@kr);
	trunc(@kw);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
