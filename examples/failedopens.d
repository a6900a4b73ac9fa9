#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * failedopens.d - which opens fail, and what did the program ask for?
 *
 * USAGE: failedopens.d [ERROR]
 *
 *    ERROR    only this error number: 2 no such file, 13 permission denied … (default: all)
 *
 * When a file is opened the time, who it is and how are written to a speculation. When the call
 * fails the path and the error follow, and the whole is printed; when it succeeds, as nearly all
 * do, the speculation is thrown away. So no variable has to remember what only entry knows.
 *
 * EXAMPLES
 *    failedopens.d               every failed open, until ^C
 *    failedopens.d 13            what is not permitted
 */
#pragma D option defaultargs
#pragma D option nspec=512

syscall::openat:entry
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

/* Not committed: it succeeded, or another error is asked for. */
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
