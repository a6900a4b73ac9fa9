#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * funccount.d - how often are functions called?
 *
 * USAGE: funccount.d [OPTION]... PROBE
 *
 *    PROBE    a description of one or many probes: 'fbt::vfs_*:entry', 'uprobe:libc:str*:entry',
 *             'syscall::*stat*:entry'
 *
 * Counts by function, until ^C or until --duration is over. dtx -ln PROBE lists what is counted.
 *
 * EXAMPLES
 *    funccount.d 'fbt::tcp_*:entry' --duration 10s
 *    funccount.d 'pid$target:libc:mem*:entry' -c 'ls /etc'
 */
#pragma D param top,t int 30 "how many functions to show"
#pragma D param name,n string "only programs of this name"
#pragma D option aggtop=$top

$1
/$name == "" || execname == $name/
{
	@[probefunc] = count();
}

END
{
	printf("%-40s %12s\n", "FUNCTION", "COUNT");
	printa("%-40s %@12d\n", @);
}
