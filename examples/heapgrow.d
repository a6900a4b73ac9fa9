#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * heapgrow.d - which code makes the heap of a program grow?
 *
 * USAGE: heapgrow.d [STACKS] -p PID
 *        heapgrow.d [STACKS] -c COMMAND
 *
 *    STACKS    how many stacks to show, those with the most growth (default: 5)
 *
 * Sums the bytes that each stack has allocated and that have not been freed since. If the bytes of
 * a stack rise from one run to the next, its code leaks memory or fills a cache. Memory that was
 * allocated before the script started is not counted when it is freed. Up to 246,723 blocks at a
 * time are followed; -x dynvarsize gives room for more.
 *
 * EXAMPLES
 *    heapgrow.d -p 1234          process 1234, until ^C
 *    heapgrow.d 3 -c 'ls -lR /'  a command; the three stacks with the most growth
 */
#pragma D option defaultargs
#pragma D option dynvarsize=4m

pid$target:libc:malloc:entry
{
	self->size = arg0;
	self->site = ustack();
}

pid$target:libc:calloc:entry
{
	self->size = arg0 * arg1;
	self->site = ustack();
}

pid$target:libc:realloc:entry
{
	self->size = arg1;
	self->site = ustack();
}

/* The stack is that of the entry: at a return it would begin with one of several instructions. */
pid$target:libc:malloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return
/self->size && arg1/
{
	size[arg1] = self->size;
	site[arg1] = self->site;
	@growth[site[arg1]] = sum(self->size);
}

pid$target:libc:malloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return
{
	self->size = 0;
	self->site = 0;
}

/* The argument of realloc counts as freed, its result as new, even if the block did not move. */
pid$target:libc:free:entry,
pid$target:libc:realloc:entry
/size[arg0]/
{
	@growth[site[arg0]] = sum(-size[arg0]);
	size[arg0] = 0;
	site[arg0] = 0;
}

END
{
	trunc(@growth, $1 ? $1 : 5);
	printa("%k%@16d bytes\n", @growth);
}
