#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * readahead.d - are the pages that the kernel reads ahead used, and how long after?
 *
 * USAGE: readahead.d [OPTION]... [TIME [COUNT]]
 *
 * The kernel reads more of a file than a program asked for, because it will probably want the rest.
 * At the end this prints, for pages that were read ahead, the distribution of the time until their
 * first use in ms, and how many were not used: memory and time of the disk for nothing. A
 * page that is evicted, or used later, is one of those. Pages that a file system keeps as one, a
 * folio, count as one. Needs probes on kernel functions, and Linux 5.18 or later.
 *
 * EXAMPLES
 *    readahead.d            until ^C
 *    readahead.d 10         ten seconds
 */
#pragma D param name,n string "only what is read ahead for programs of this name"
#pragma D option dynvarsize=16m
#pragma D option cumulative

/* The file, and no count of calls: if a return is not seen, other files' pages are still told apart. */
fbt::page_cache_ra_unbounded:entry,
fbt::page_cache_ra_order:entry
/$name == "" || execname == $name/
{
	self->ahead = args.ractl->mapping;
}

fbt::page_cache_ra_unbounded:return,
fbt::page_cache_ra_order:return
{
	self->ahead = NULL;
}

fbt::filemap_add_folio:entry
/self->ahead != NULL && args.mapping == self->ahead/
{
	read[arg1] = timestamp;
	@read = count();
	@unused = sum(1);
}

fbt::folio_mark_accessed:entry
/read[arg0]/
{
	@used = quantize((timestamp - read[arg0]) / 1000000);
	@unused = sum(-1);
	read[arg0] = 0;
}

/* Its struct is another page's from here on. */
fbt::filemap_remove_folio:entry
/read[arg0]/
{
	read[arg0] = 0;
}

END
{
	printa("read ahead: %@d, of these not used: %@d\n", @read, @unused);
	printa("\nmilliseconds until the first use:%@d\n", @used);
}
