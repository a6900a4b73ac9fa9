#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memleak.d - which code of a program takes memory that it does not give back?
 *
 * USAGE: memleak.d [OPTION]... -p PID
 *        memleak.d [OPTION]... -c COMMAND
 *
 * Sums, by stack, the bytes that malloc, calloc, realloc and their like have given and free has not
 * taken back when the script ends; the largest come last. Memory that is still in use is no leak by
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
/* The stack then begins with the caller, whichever instruction returns: one key for all. */
#pragma D option ureturn=kernel
#pragma D option aggtop=$top
#pragma D option zdefs

pid$target:libc:malloc:entry,
pid$target:libc:valloc:entry
{
	self->size = arg0;
}

pid$target:libc:calloc:entry
{
	self->size = arg0 * arg1;
}

pid$target:libc:realloc:entry,
pid$target:libc:memalign:entry,
pid$target:libc:aligned_alloc:entry
{
	self->size = arg1;
}

/* At the return the stack begins with the caller; at the entry its frame is not there yet. */
pid$target:libc:malloc:return,
pid$target:libc:valloc:return,
pid$target:libc:calloc:return,
pid$target:libc:realloc:return,
pid$target:libc:memalign:return,
pid$target:libc:aligned_alloc:return
/self->size && self->size >= $min && arg1/
{
	size[arg1] = self->size;
	site[arg1] = ustack();
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
