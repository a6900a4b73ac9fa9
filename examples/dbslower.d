#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dbslower.d - which queries of PostgreSQL are slow?
 *
 * USAGE: dbslower.d [OPTION]...
 *
 * Prints each query that takes at least as long as --min, with its text, and at the end the
 * distribution of all. It uses the probes of the server (query-start, query-done), which Debian's
 * package has; a server that starts later is seen, too.
 *
 * EXAMPLES
 *    dbslower.d                  queries of 10 ms and more, until ^C
 *    dbslower.d -m 0             all
 */
#pragma D param min,m time 10ms "only queries that take at least this long"
#pragma D option zdefs

BEGIN
{
	printf("%-8s %7s %10s %s\n", "TIME", "PID", "US", "QUERY");
}

postgresql*:::query-start
{
	self->start = timestamp;
	self->query = copyinstr(arg0);
}

postgresql*:::query-done
/self->start/
{
	this->ns = timestamp - self->start;
	@ = quantize(this->ns / 1000);
}

postgresql*:::query-done
/self->start && this->ns >= $min/
{
	printf("%-8s %7d %10d %s\n", strftime("%H:%M:%S", walltimestamp), pid, this->ns / 1000,
	    self->query);
}

postgresql*:::query-done
{
	self->start = 0;
	self->query = 0;
}

END
{
	printf("\nMicroseconds of all queries:");
	printa(@);
}
