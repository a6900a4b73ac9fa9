#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dbslower.d - which queries of PostgreSQL, MySQL and MariaDB are slow?
 *
 * USAGE: dbslower.d [OPTION]...
 *
 * Prints each query that takes at least as long as --min, with its text, and at the end the
 * distribution of all. Servers that run already are seen, those that start later, and those in
 * containers. Of PostgreSQL also statements are seen that were prepared, with $1 for their values;
 * of the others, a query must come as a text.
 *
 * PostgreSQL has probes for it (query-start, query-execute-start …; Debian's package has them). Of
 * mysqld and mariadbd it takes the function dispatch_command; before Linux 5.15 --server must be a
 * path. DB says mysql for both.
 *
 * EXAMPLES
 *    dbslower.d                  queries of 10 ms and more, until ^C
 *    dbslower.d -m 0             all
 *    dbslower.d -x strsize=2k    with longer texts than 255 bytes
 */
#pragma D param min,m time 10ms "only queries that take at least this long"
#pragma D param server,s string "m[ya]*[lb]d" "the server of MySQL: a name, a pattern or a path"
#pragma D option zdefs

BEGIN
{
	printf("%-8s %7s %10s %-8s %s\n", "TIME", "PID", "US", "DB", "QUERY");
}

/* Before each statement; a query that failed before has not come to its end. */
postgresql*:::statement-status
/arg0/
{
	self->query = copyinstr(arg0);
	self->simple = 0;
	self->start = 0;
}

/* A text. */
postgresql*:::query-start
{
	self->simple = 1;
	self->start = timestamp;
}

/* By the extended protocol, as most drivers do. */
postgresql*:::query-execute-start
/!self->simple && !self->start/
{
	self->start = timestamp;
}

/* MariaDB, and MySQL before 5.7: (command, session, text, length). 3 is COM_QUERY. */
uprobe:$server:dispatch_command:entry
/(int)arg0 == 3/
{
	self->start = timestamp;
	self->query = copyinstr(arg2, (uint32_t)arg3 + 1);
}

/* MySQL since 5.7: (session, data, command). The data begin with the address and the length. */
uprobe:$server:dispatch_command:entry
/(int)arg2 == 3/
{
	this->text = (uint64_t *)copyin(arg1, 16);
	self->start = timestamp;
	self->query = copyinstr(this->text[0], (uint32_t)this->text[1] + 1);
}

postgresql*:::query-done,
postgresql*:::query-execute-done,
uprobe:$server:dispatch_command:return
{
	this->done = self->start && (probename != "query-execute-done" || !self->simple);
}

postgresql*:::query-done,
postgresql*:::query-execute-done,
uprobe:$server:dispatch_command:return
/this->done/
{
	this->ns = timestamp - self->start;
	this->db = probeprov == "uprobe" ? "mysql" : "postgres";
	@[this->db] = quantize(this->ns / 1000);
}

postgresql*:::query-done,
postgresql*:::query-execute-done,
uprobe:$server:dispatch_command:return
/this->done && this->ns >= $min/
{
	printf("%-8s %7d %10d %-8s %s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    this->ns / 1000, this->db, self->query);
}

postgresql*:::query-done,
postgresql*:::query-execute-done,
uprobe:$server:dispatch_command:return
/this->done/
{
	self->simple = 0;
	self->start = 0;
	self->query = 0;
}

END
{
	printf("\nMicroseconds of all queries:");
	printa(@);
}
