#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nfsslower.d - which operations on files of NFS servers are slow?
 *
 * USAGE: nfsslower.d [OPTION]...
 *
 * Prints reads, writes, opens, closes, syncs and requests for attributes (getattr) that take at
 * least as long as --min, with the place in the file and the number of bytes. It measures the
 * function of the NFS client: what a program waits for, with the locks, the cache, the network and
 * the server. What is written goes to the server at sync or close, which wait for it. Needs probes
 * on kernel functions and Linux 5.11; the modules nfs and, for version 4, nfsv4 must be loaded.
 *
 * EXAMPLES
 *    nfsslower.d                10 ms and more, until ^C
 *    nfsslower.d -m 0           all
 */
#pragma D param min,m time 10ms "only operations that take at least this long"
#pragma D param name,n string "only programs of this name"
#pragma D option zdefs

BEGIN
{
	printf("%-8s %7s %-15s %-7s %9s %12s %9s %s\n", "TIME", "PID", "PROGRAM", "WHAT", "BYTES",
	    "OFFSET", "US", "FILE");
}

/* Of these functions some do their work by another one, which is part of it: self->outer. */
fbt::nfs_file_read:entry,
fbt::nfs_file_write:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->call = probefunc;
	self->outer = probefunc == "nfs_file_write";
	self->what = self->outer ? "write" : "read";
	self->entry = args.iocb->ki_filp->f_path.dentry;
	self->offset = args.iocb->ki_pos;
}

fbt::nfs_file_flush:entry,
fbt::nfs4_file_flush:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->call = probefunc;
	self->outer = 1;
	self->what = "close";
	self->entry = args.file->f_path.dentry;
	self->offset = 0;
}

fbt::nfs_file_fsync:entry
/!self->outer && ($name == "" || execname == $name)/
{
	self->start = timestamp;
	self->call = probefunc;
	self->what = "sync";
	self->entry = args.file->f_path.dentry;
	self->offset = 0;
}

fbt::nfs_file_open:entry,
fbt::nfs4_file_open:entry
/!self->outer && ($name == "" || execname == $name)/
{
	self->start = timestamp;
	self->call = probefunc;
	self->what = "open";
	self->entry = args.filp->f_path.dentry;
	self->offset = 0;
}

/* Files that the client does not know yet. */
fbt::nfs_atomic_open:entry,
fbt::nfs_atomic_open_v23:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->call = probefunc;
	self->outer = 1;
	self->what = "open";
	self->entry = args.dentry;
	self->offset = 0;
}

fbt::nfs_getattr:entry
/$name == "" || execname == $name/
{
	self->start = timestamp;
	self->call = probefunc;
	self->outer = 0;
	self->what = "getattr";
	self->entry = args.path->dentry;
	self->offset = 0;
}

fbt::nfs_file_read:return,
fbt::nfs_file_write:return,
fbt::nfs_file_fsync:return,
fbt::nfs_file_flush:return,
fbt::nfs4_file_flush:return,
fbt::nfs_file_open:return,
fbt::nfs4_file_open:return,
fbt::nfs_atomic_open:return,
fbt::nfs_atomic_open_v23:return,
fbt::nfs_getattr:return
/self->start && self->call == probefunc && timestamp - self->start >= $min/
{
	this->bytes = self->what == "read" || self->what == "write" ? (int64_t)arg1 : 0;
	printf("%-8s %7d %-15s %-7s %9d %12d %9d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, self->what, this->bytes > 0 ? this->bytes : 0, self->offset,
	    (timestamp - self->start) / 1000, stringof(self->entry->d_name.name));
}

fbt::nfs_file_read:return,
fbt::nfs_file_write:return,
fbt::nfs_file_fsync:return,
fbt::nfs_file_flush:return,
fbt::nfs4_file_flush:return,
fbt::nfs_file_open:return,
fbt::nfs4_file_open:return,
fbt::nfs_atomic_open:return,
fbt::nfs_atomic_open_v23:return,
fbt::nfs_getattr:return
/self->start && self->call == probefunc/
{
	self->start = 0;
	self->call = NULL;
	self->outer = 0;
	self->what = NULL;
	self->entry = NULL;
	self->offset = 0;
}
