#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memleak.d - which code of a program takes memory that it does not give back?
 *
 * USAGE: memleak.d [OPTION]... [TIME [COUNT]] -p PID
 *        memleak.d [OPTION]... [TIME [COUNT]] -c COMMAND
 *
 * Sums, by stack, the bytes that malloc, calloc, realloc and their like have given and free has not
 * taken back when it prints; the largest come last. Memory that is still in use is no leak by
 * itself: what grows from run to run is. Up to 246,723 blocks at a time are followed; -x dynvarsize
 * gives room for more.
 *
 * EXAMPLES
 *    memleak.d -p 1234 --duration 1m
 *    memleak.d -t 3 -c 'ls -lR /'
 */
#pragma D param top,t int 10 "how many stacks to show"
#pragma D param min,m size 0 "only blocks of at least so many bytes"
#pragma D option dynvarsize=4m
#pragma D option aggtop=$top
#pragma D option cumulative
#pragma D option zdefs

pid$target:libc:malloc:entry,
pid$target:libc:valloc:entry
/arg0 >= $min/
{
	self->size = arg0;
	self->site = ustack();
}

pid$target:libc:calloc:entry
/arg0 * arg1 >= $min/
{
	self->size = arg0 * arg1;
	self->site = ustack();
}

pid$target:libc:realloc:entry,
pid$target:libc:memalign:entry,
pid$target:libc:aligned_alloc:entry
/arg1 >= $min/
{
	self->size = arg1;
	self->site = ustack();
}

/* The stack is that of the entry: at a return it would begin with one of several instructions. */
pid$target:libc:malloc:return,
pid$target:libc:valloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return,
pid$target:libc:memalign:return,
pid$target:libc:aligned_alloc:return
/self->size && arg1/
{
	size[arg1] = self->size;
	site[arg1] = self->site;
	@bytes[site[arg1]] = sum(self->size);
	@blocks[site[arg1]] = sum(1);
}

pid$target:libc:malloc:return,
pid$target:libc:valloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return,
pid$target:libc:memalign:return,
pid$target:libc:aligned_alloc:return
{
	self->size = 0;
	self->site = 0;
}

/* The argument of realloc is given back, its result is new, even if the block did not move. */
pid$target:libc:free:entry,
pid$target:libc:realloc:entry
/size[arg0]/
{
	@bytes[site[arg0]] = sum(-size[arg0]);
	@blocks[site[arg0]] = sum(-1);
	size[arg0] = 0;
	site[arg0] = 0;
}

END
{
	printa("%k%@16d bytes in %@d blocks\n", @bytes, @blocks);
}
