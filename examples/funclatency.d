#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * funclatency.d - how long do the calls of a function take?
 *
 * USAGE: funclatency.d [OPTION]... FUNCTION
 *
 *    FUNCTION    a name, or a pattern in quotes: 'vfs_*'
 *
 * Prints the distribution of the times by function, in nanoseconds or in the unit of --unit. Each
 * call counts from its entry to its return, with the time that it waits. Calls within a call of the
 * same function do not count. A function that another thread enters is measured by itself.
 *
 * EXAMPLES
 *    funclatency.d vfs_read --unit 1us
 *    funclatency.d -P uprobe -M libc getaddrinfo
 *    funclatency.d -P 'pid$target' -M libc malloc -c 'ls /etc'
 */
#pragma D param provider,P string fbt "the provider: fbt, uprobe, or pid$target"
#pragma D param module,M string "" "the module or library of the function"
#pragma D param unit,u time 1ns "the unit of the distribution: 1us, 1ms"
#pragma D param name,n string "only programs of this name"

$provider:$module:$1:entry
/!self->start && ($name == "" || execname == $name)/
{
	self->function = probefunc;
	self->start = timestamp;
}

$provider:$module:$1:return
/self->start && probefunc == self->function/
{
	@[probefunc] = quantize((timestamp - self->start) / ($unit ? $unit : 1));
	self->start = 0;
	self->function = 0;
}

END
{
	printa("\n%s:%@d\n", @);
}
