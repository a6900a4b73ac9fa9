#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * argdist.d - which values does an argument of a probe have?
 *
 * USAGE: argdist.d [OPTION]... PROBE VALUE
 *
 *    PROBE    a description of probes: syscall::read:entry, 'fbt::kmem_cache_alloc:entry'
 *    VALUE    a name of a number: arg0, arg2, or an argument by its name (count)
 *
 * Prints the distribution of the value by program, or with --count how often each value occurs. At
 * a return arg1 is the result.
 *
 * EXAMPLES
 *    argdist.d syscall::read:entry arg2
 *    argdist.d -C -n ls syscall::openat:return arg1
 */
#pragma D param count,C flag "count each value, no distribution"
#pragma D param name,n string "only programs of this name"
#pragma D param top,t int 30 "how many values to show with --count"
#pragma D option aggtop=$top

$1
/!$count && ($name == "" || execname == $name)/
{
	@[execname] = quantize((int64_t)$2);
}

$1
/$count && ($name == "" || execname == $name)/
{
	@values[execname, (int64_t)$2] = count();
}

END
/!$count/
{
	printa("\n%s:%@d\n", @);
}

END
/$count/
{
	printf("%-15s %20s %10s\n", "PROGRAM", $$2, "COUNT");
	printa("%-15s %20d %@10d\n", @values);
}
