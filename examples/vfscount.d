#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfscount.d - which functions of the virtual file system are called, and how often?
 *
 * USAGE: vfscount.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Counts the calls of each kernel function whose name begins with vfs_, until ^C or until
 * --duration is over. Needs probes on kernel functions.
 *
 * EXAMPLES
 *    vfscount.d --duration 10s
 *    vfscount.d -n tar           the calls of one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D option aggsortrev

fbt:vmlinux:vfs_*:entry
/$name == "" || execname == $name/
{
	@[probefunc] = count();
}

END
{
	printf("%-32s %12s\n", "FUNCTION", "COUNT");
	printa("%-32s %@12d\n", @);
}
