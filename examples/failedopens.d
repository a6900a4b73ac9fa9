#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * failedopens.d - which opens fail, and which file did the program want?
 *
 * USAGE: failedopens.d [ERROR]
 *
 *    ERROR    only this error number, e.g. 2 no such file, 13 permission denied (default: all)
 *
 * At entry, the time, the program and the flags are written to a speculation. If the call fails,
 * the path and the error are added and the speculation is printed. If the call succeeds, as nearly
 * all do, the speculation is discarded. So no variables are needed for the values of the entry.
 * dtx itself is not shown.
 *
 * EXAMPLES
 *    failedopens.d               every failed open, until ^C
 *    failedopens.d 13            only opens that were not permitted
 */
#pragma D option defaultargs
#pragma D option nspec=512

syscall::openat:entry
/pid != $pid/
{
	self->spec = speculation();
	self->path = arg1;
}

syscall::openat:entry
/self->spec/
{
	speculate(self->spec);
	printf("%Y %s[%d] by %s[%d], user %d, flags 0x%x: ", walltimestamp, execname, pid,
	    curthread->real_parent->comm, ppid, uid, arg2);
}

syscall::openat:return
/self->spec && errno && (!$1 || errno == $1)/
{
	speculate(self->spec);
	printf("%s: error %d\n", copyinstr(self->path), errno);
}

syscall::openat:return
/self->spec && errno && (!$1 || errno == $1)/
{
	commit(self->spec);
	self->spec = 0;
}

/* Not committed: the call succeeded, or failed with an error that was not asked for. */
syscall::openat:return
/self->spec/
{
	discard(self->spec);
	self->spec = 0;
}

syscall::openat:return
{
	self->path = 0;
}
