#!/usr/bin/dtx -qs
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ssllatency.d - how long do handshakes, reads and writes of TLS take?
 *
 * USAGE: ssllatency.d [OPTION]... [-p PID | -c COMMAND]
 *
 * Prints the distribution of the times of SSL_do_handshake, SSL_read and SSL_write of OpenSSL's
 * library, in microseconds, and of SSL_read_ex and SSL_write_ex, by which Python reads and writes.
 * A read that waits for data has this wait in its time; a handshake has the answers of the other
 * side. Programs that contain their TLS library are not seen.
 *
 * EXAMPLES
 *    ssllatency.d --duration 10s  all programs
 *    ssllatency.d -n nginx -e     one program, and a line for each handshake
 */
#pragma D param name,n string "only programs of this name"
#pragma D param each,e flag "a line for each handshake"
#pragma D param library,l string libssl "the library: a name or a path"
/* A handshake ends by a jump into another function: its time is that until the real return. */
#pragma D option ureturn=kernel

/* By function, and each begin replaces the one before: its end may not have been seen. */
uprobe:$library:SSL_do_handshake:entry,
uprobe:$library:SSL_read:entry,
uprobe:$library:SSL_write:entry,
uprobe:$library:SSL_read_ex:entry,
uprobe:$library:SSL_write_ex:entry
/$name == "" || execname == $name/
{
	self->began[probefunc] = timestamp;
}

uprobe:$library:SSL_do_handshake:return,
uprobe:$library:SSL_read:return,
uprobe:$library:SSL_write:return,
uprobe:$library:SSL_read_ex:return,
uprobe:$library:SSL_write_ex:return
/self->began[probefunc]/
{
	this->us = (timestamp - self->began[probefunc]) / 1000;
	@[probefunc] = quantize(this->us);
}

uprobe:$library:SSL_do_handshake:return
/self->began[probefunc] && $each/
{
	printf("%-8s %7d %-15s handshake %9d us%s\n", strftime("%H:%M:%S", walltimestamp), pid,
	    execname, (timestamp - self->began[probefunc]) / 1000, (int)arg1 == 1 ? "" : ", not done");
}

uprobe:$library:SSL_do_handshake:return,
uprobe:$library:SSL_read:return,
uprobe:$library:SSL_write:return,
uprobe:$library:SSL_read_ex:return,
uprobe:$library:SSL_write_ex:return
/self->began[probefunc]/
{
	self->began[probefunc] = 0;
}

END
{
	printa("\n%s (us):%@d\n", @);
}
