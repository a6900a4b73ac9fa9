#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gethostlatency.d - which host names are looked up, by whom, and how long does it take?
 *
 * USAGE: gethostlatency.d [OPTION]...
 *
 * Prints a line when getaddrinfo, gethostbyname or gethostbyname2 of the C library returns. US is
 * the time in microseconds. RESULT is that of getaddrinfo, 0 for success; of the others it is 0 for
 * success, too, and -1 else.
 *
 * EXAMPLES
 *    gethostlatency.d            all programs, until ^C
 *    gethostlatency.d -m 100ms   only slow ones
 */
#pragma D param min,m time 0 "only calls that take at least this long"
#pragma D param library,l string libc "the C library: a name or a path"

BEGIN
{
	printf("%-8s %7s %-15s %-15s %10s %6s %s\n", "TIME", "PID", "PROGRAM", "CALL", "US",
	    "RESULT", "HOST");
}

uprobe:$library:getaddrinfo:entry,
uprobe:$library:gethostbyname:entry,
uprobe:$library:gethostbyname2:entry
{
	self->start = timestamp;
	self->host = arg0;
}

uprobe:$library:getaddrinfo:return,
uprobe:$library:gethostbyname:return,
uprobe:$library:gethostbyname2:return
/self->start && timestamp - self->start >= $min/
{
	printf("%-8s %7d %-15s %-15s %10d %6d %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, probefunc, (timestamp - self->start) / 1000,
	    probefunc == "getaddrinfo" ? (int)arg1 : arg1 ? 0 : -1,
	    self->host ? copyinstr(self->host) : "-");
}

uprobe:$library:getaddrinfo:return,
uprobe:$library:gethostbyname:return,
uprobe:$library:gethostbyname2:return
/self->start/
{
	self->start = 0;
	self->host = 0;
}
