#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cachetop.d - which programs find their pages in the cache of files, and which do not?
 *
 * USAGE: cachetop.d [OPTION]... [INTERVAL [COUNT]] [-p PID | -c COMMAND]
 *
 * HITS are pages that were used and were in the cache, MISSES pages that were read into it, DIRTIED
 * pages that were written to; the rows with the most hits come first. The kernel does not count
 * hits: they are the uses of pages without those of new pages and of buffers, as in cachestat.d, so
 * a row can be a little off. Pages that are read ahead, or written back, are those of the thread
 * that does it. Needs probes on kernel functions, and Linux 5.18 or later.
 *
 * EXAMPLES
 *    cachetop.d            each second, until ^C
 *    cachetop.d -t 5 10 1  the top five of ten seconds
 */
#pragma D param interval,i time 1s "time between two tables"
#pragma D param count int 0 "end after this many tables"
#pragma D param top,t int 20 "how many rows to show"
#pragma D param name,n string "only programs of this name"
#pragma D option aggsortrev
#pragma D option aggtop=$top

inline int WANTED = $name == "" || execname == $name;

fbt::folio_mark_accessed:entry
/WANTED/
{
	@hits[pid, uid, execname] = sum(1);
}

/* A buffer is marked, too, when it is made dirty. */
fbt::mark_buffer_dirty:entry
/WANTED/
{
	@hits[pid, uid, execname] = sum(-1);
}

/* A new page: one that is read, unless it is made dirty. */
fbt::filemap_add_folio:entry
/WANTED/
{
	@hits[pid, uid, execname] = sum(-1);
	@misses[pid, uid, execname] = sum(1);
}

tracepoint:writeback:writeback_dirty_folio
/WANTED/
{
	@hits[pid, uid, execname] = sum(1);
	@misses[pid, uid, execname] = sum(-1);
	@dirtied[pid, uid, execname] = sum(1);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	printf("\n%s\n%7s %5s %-15s %10s %10s %10s\n", strftime("%H:%M:%S", walltimestamp), "PID",
	    "UID", "PROGRAM", "HITS", "MISSES", "DIRTIED");
	printa("%7d %5d %-15s %@10d %@10d %@10d\n", @hits, @misses, @dirtied);
	trunc(@hits);
	trunc(@misses);
	trunc(@dirtied);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
