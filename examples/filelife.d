#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filelife.d - which files live only for a short time, and who made and removed them?
 *
 * USAGE: filelife.d [OPTION]...
 *
 * Prints a line when a file is removed that was made while the script runs. Files that are made and
 * removed at once are work for the file system that nobody needs. In an overlay, as containers have
 * it, a file is seen twice: there, and in the layer below. Needs probes on kernel functions, and a
 * kernel with security modules, as distributions have it.
 *
 * EXAMPLES
 *    filelife.d                  all files, until ^C
 *    filelife.d -m 1s            only files that lived for a second at most
 */
#pragma D param max,m time 0 "only files that lived at most this long; 0: all"

BEGIN
{
	printf("%-8s %7s %-15s %-15s %10s %s\n", "TIME", "PID", "MADE BY", "REMOVED BY", "AGE(ms)",
	    "FILE");
}

/* The entry of the folder is the same until the file is removed; its file is not known yet. */
fbt::security_inode_create:entry
{
	made[arg1] = timestamp;
	maker[arg1] = execname;
}

fbt::security_inode_unlink:entry
/made[arg1] && (!$max || timestamp - made[arg1] <= $max)/
{
	printf("%-8s %7d %-15s %-15s %10d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    maker[arg1], execname, (timestamp - made[arg1]) / 1000000,
	    stringof(args[1]->d_name.name));
}

fbt::security_inode_unlink:entry
/made[arg1]/
{
	made[arg1] = 0;
	maker[arg1] = 0;
}
