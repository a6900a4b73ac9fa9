#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slabratetop.d - for which objects does the kernel allocate memory most often?
 *
 * USAGE: slabratetop.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Prints, in each interval, the caches of kernel objects with the most allocations, and their
 * bytes. It is the rate of allocations, not the memory in use. Needs Linux 6.1.
 *
 * EXAMPLES
 *    slabratetop.d  each second, until ^C
 *    slabratetop.d -t 5 10 1
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D option aggsortrev
#pragma D option aggtop=$top

rawtp:kmem::kmem_cache_alloc
{
	this->name = stringof(((struct kmem_cache *)args[2])->name);
	@allocs[this->name] = count();
	@bytes[this->name] = sum(((struct kmem_cache *)args[2])->size);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%-32s %12s %14s\n", strftime("%H:%M:%S", walltimestamp), "CACHE", "ALLOCS",
	    "BYTES");
	printa("%-32s %@12d %@14d\n", @allocs, @bytes);
	trunc(@allocs);
	trunc(@bytes);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
