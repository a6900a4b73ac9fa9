#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vfsstat.d - how many file operations does the kernel do in each second?
 *
 * USAGE: vfsstat.d [OPTION]... [INTERVAL [COUNT]]
 *
 * Counts the calls of the functions that all file systems share: also pipes, sockets, devices and
 * /proc, and what the kernel itself reads and writes. CREATE is mknod and bind; a file that open
 * makes counts as OPEN. Needs probes on kernel functions.
 *
 * EXAMPLES
 *    vfsstat.d       each second, until ^C
 *    vfsstat.d 10 6  six times ten seconds
 */
#pragma D param interval,i time 1s "time between two lines"
#pragma D param count int 0 "end after this many lines"

BEGIN
{
	printf("%-8s %9s %9s %9s %9s %9s %9s\n", "TIME", "READ", "WRITE", "OPEN", "CREATE",
	    "UNLINK", "FSYNC");
}

fbt::vfs_read:entry
{
	@read = sum(1);
}

fbt::vfs_write:entry
{
	@write = sum(1);
}

fbt::vfs_open:entry
{
	@open = sum(1);
}

fbt::vfs_mknod:entry
{
	@create = sum(1);
}

fbt::vfs_unlink:entry
{
	@unlink = sum(1);
}

fbt::vfs_fsync_range:entry
{
	@fsync = sum(1);
}

tick-$interval,
END
/!$count || lines < $count/
{
	lines++;
	@read = sum(0);
	@write = sum(0);
	@open = sum(0);
	@create = sum(0);
	@unlink = sum(0);
	@fsync = sum(0);
	printf("%-8s", strftime("%H:%M:%S", walltimestamp));
	printa(" %@9d %@9d %@9d %@9d %@9d %@9d\n", @read, @write, @open, @create, @unlink, @fsync);
	trunc(@read);
	trunc(@write);
	trunc(@open);
	trunc(@create);
	trunc(@unlink);
	trunc(@fsync);
}

tick-$interval
/lines == $count/
{
	exit(0);
}
