#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dcsnoop.d - which names are not in the cache of folder entries, so that the file system is asked?
 *
 * USAGE: dcsnoop.d [OPTION]...
 *
 * Prints a line for each name that is looked up and not found in the cache (dcache). A name that
 * does not exist is in the cache, too, once it was asked for. Many misses of new names make each
 * open slow. In an overlay, as containers have it, each layer is asked. Needs probes on kernel
 * functions.
 *
 * EXAMPLES
 *    dcsnoop.d                   all programs, until ^C
 *    dcsnoop.d -n find           only one program
 */
#pragma D param name,n string "only programs of this name"

BEGIN
{
	printf("%-8s %7s %-15s %s\n", "TIME", "PID", "PROGRAM", "NAME");
}

/* What every miss calls: it makes the entry that the file system fills. */
fbt::d_alloc_parallel:entry
/$name == "" || execname == $name/
{
	printf("%-8s %7d %-15s %s\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    stringof(args[1]->name));
}
