#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.d - when does a probe fire, in which program, and with which values?
 *
 * USAGE: trace.d [OPTION]... PROBE [VALUE]
 *
 *    PROBE    a description of probes: syscall::unlinkat:entry, 'fbt::vfs_*:entry'
 *    VALUE    a name of a value to show: arg0, retval, or an argument by its name
 *
 * Prints a line for each firing. With --max the script ends after so many.
 *
 * EXAMPLES
 *    trace.d syscall:::entry -c 'ls /'
 *    trace.d syscall::setuid:entry arg0
 *    trace.d -m 5 -n bash proc:::create
 */
#pragma D option defaultargs
#pragma D param name,n string "only programs of this name"
#pragma D param max,m int 0 "end after this many lines; 0: never"

int shown;

BEGIN
{
	printf("%-8s %7s %7s %-15s %-32s %s\n", "TIME", "PID", "TID", "PROGRAM", "PROBE",
	    $$2 == "" ? "" : $$2);
}

$1
/($name == "" || execname == $name) && (!$max || shown < $max)/
{
	printf("%-8s %7d %7d %-15s %-32s %d\n", strftime("%H:%M:%S", walltimestamp), pid, tid,
	    execname, strjoin(probefunc, strjoin(":", probename)), $2);
}

$1
/($name == "" || execname == $name) && $max && ++shown >= $max/
{
	exit(0);
}
