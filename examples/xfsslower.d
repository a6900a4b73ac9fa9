#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xfsslower.d - which operations of the file system XFS are slow?
 *
 * USAGE: xfsslower.d [OPTION]...
 *
 * Prints reads, writes, opens and syncs that take at least as long as --min, with the place in the
 * file and the number of bytes. It measures the function of the file system: what a program waits
 * for, with the locks, the cache and the disk. Needs probes on kernel functions; the module of the
 * file system must be loaded.
 *
 * EXAMPLES
 *    xfsslower.d                10 ms and more, until ^C
 *    xfsslower.d -m 0           all
 */
#pragma D param min,m time 10ms "only operations that take at least this long"
#pragma D param name,n string "only programs of this name"
#pragma D option zdefs

BEGIN
{
	printf("%-8s %7s %-15s %-5s %9s %12s %9s %s\n", "TIME", "PID", "PROGRAM", "WHAT", "BYTES",
	    "OFFSET", "US", "FILE");
}

fbt::xfs_file_read_iter:entry,
fbt::xfs_file_write_iter:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->call = probefunc;
	self->file = ((struct kiocb *)arg0)->ki_filp;
	self->offset = ((struct kiocb *)arg0)->ki_pos;
}

/* A write that waits for the disk (O_SYNC) has its sync in it. */
fbt::xfs_file_fsync:entry
/self->call != "xfs_file_write_iter" && ($name == "" || execname == $name)/
{
	self->start = timestamp;
	self->call = probefunc;
	self->file = (struct file *)arg0;
	self->offset = 0;
}

fbt::xfs_file_open:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->call = probefunc;
	self->file = (struct file *)arg1;
	self->offset = 0;
}

fbt::xfs_file_read_iter:return,
fbt::xfs_file_write_iter:return,
fbt::xfs_file_fsync:return,
fbt::xfs_file_open:return
/self->start && self->call == probefunc && timestamp - self->start >= $min/
{
	this->what = probefunc == "xfs_file_read_iter" ? "read" : probefunc == "xfs_file_write_iter" ? "write" :
	    probefunc == "xfs_file_fsync" ? "sync" : "open";
	printf("%-8s %7d %-15s %-5s %9d %12d %9d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, this->what, (int64_t)arg1 > 0 ? arg1 : 0, self->offset,
	    (timestamp - self->start) / 1000, stringof(self->file->f_path.dentry->d_name.name));
}

fbt::xfs_file_read_iter:return,
fbt::xfs_file_write_iter:return,
fbt::xfs_file_fsync:return,
fbt::xfs_file_open:return
/self->start && self->call == probefunc/
{
	self->start = 0;
	self->call = NULL;
	self->file = NULL;
	self->offset = 0;
}
