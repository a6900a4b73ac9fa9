#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cachestat.d - how many reads and writes find their pages in the cache of files?
 *
 * USAGE: cachestat.d [OPTION]... [INTERVAL [COUNT]]
 *
 * HITS are pages that were used and were in the cache, MISSES pages that were read into it, DIRTIED
 * pages that were written to. The kernel does not count hits: they are the uses of pages without
 * those of new pages and of buffers, so a line can be a little off, and below 0 when nothing
 * happens. Pages that a file system keeps as one, a folio, count as one: XFS, btrfs, and ext4 from
 * Linux 6.16 on. Needs probes on kernel functions, and Linux 5.18 or later.
 *
 * EXAMPLES
 *    cachestat.d       each second, until ^C
 *    cachestat.d 10 6  six times ten seconds
 */
#pragma D param interval,i time 1s "time between two lines"
#pragma D param count int 0 "end after this many lines"

BEGIN
{
	printf("%-8s %10s %10s %10s\n", "TIME", "HITS", "MISSES", "DIRTIED");
}

fbt::folio_mark_accessed:entry
{
	@hits = sum(1);
}

/* A buffer is marked, too, when it is made dirty. */
fbt::mark_buffer_dirty:entry
{
	@hits = sum(-1);
}

/* A new page: one that is read, unless it is made dirty. */
fbt::filemap_add_folio:entry
{
	@hits = sum(-1);
	@misses = sum(1);
}

tracepoint:writeback:writeback_dirty_folio
{
	@hits = sum(1);
	@misses = sum(-1);
	@dirtied = sum(1);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	@hits = sum(0);
	@misses = sum(0);
	@dirtied = sum(0);
	printf("%-8s", strftime("%H:%M:%S", walltimestamp));
	printa(" %@10d %@10d %@10d\n", @hits, @misses, @dirtied);
	trunc(@hits);
	trunc(@misses);
	trunc(@dirtied);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
