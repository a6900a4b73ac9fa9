#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sslsniff.d - what do programs send and receive over TLS, before and after encryption?
 *
 * USAGE: sslsniff.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints the text that programs give to SSL_write and SSL_write_ex of OpenSSL's library, and that
 * SSL_read and SSL_read_ex give them: the first bytes of each call, with \n for a new line and \0
 * at the end. It shows secrets: use it on your own programs. Programs that contain their TLS
 * library, or use another one, are not seen.
 *
 * EXAMPLES
 *    sslsniff.d                  all programs, until ^C
 *    sslsniff.d -n curl          one program
 */
#pragma D param name,n string "only programs of this name"
#pragma D param library,l string libssl "the library: a name or a path"

BEGIN
{
	printf("%-8s %7s %-15s %-5s %7s %s\n", "TIME", "PID", "PROGRAM", "CALL", "BYTES", "TEXT");
}

uprobe:$library:SSL_read:entry,
uprobe:$library:SSL_write:entry
/$name == "" || execname == $name/
{
	self->text = arg1;
	self->count = 0;
}

/* Their results are 1, and the number of bytes is in memory. */
uprobe:$library:SSL_read_ex:entry,
uprobe:$library:SSL_write_ex:entry
/$name == "" || execname == $name/
{
	self->text = arg1;
	self->count = arg3;
}

uprobe:$library:SSL_read:return,
uprobe:$library:SSL_write:return,
uprobe:$library:SSL_read_ex:return,
uprobe:$library:SSL_write_ex:return
/self->text && (int)arg1 > 0/
{
	this->n = self->count ? *(size_t *)copyin(self->count, 8) : (int)arg1;
	printf("%-8s %7d %-15s %-5s %7d %S\n", strftime("%H:%M:%S", walltimestamp), pid, execname,
	    index(probefunc, "read") >= 0 ? "read" : "write", this->n,
	    copyinstr(self->text, this->n + 1));
}

uprobe:$library:SSL_read:return,
uprobe:$library:SSL_write:return,
uprobe:$library:SSL_read_ex:return,
uprobe:$library:SSL_write_ex:return
{
	self->text = 0;
	self->count = 0;
}
