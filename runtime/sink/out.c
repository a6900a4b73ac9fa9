/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out.c - what sinks ask of their output, and how they write to it.
 */
#include <errno.h>
#include <stdio.h>

#include "runtime/sink/sink.h"

s64 out_now(const struct out *o)
{
	return o->run->replayed ? o->run->last : clock_ns(CLOCK_MONOTONIC);
}

/* Past the buffer of the stream: it would split each write in two.  A stream in memory has no
 * descriptor.  *done: bytes that are written. */
static int out_put(FILE *f, const char *p, size_t n, size_t *done)
{
	int fd = fileno(f);

	errno = 0;
	if (fd < 0) {
		*done = fwrite(p, 1, n, f);
		return *done == n ? 0 : errno ? errno : EIO;
	}
	*done = 0;
	return fflush(f) ? errno ? errno : EIO : -file_write(fd, p, n, done);
}

/* Of a file that is full, the part of a line behind the last whole one is taken back. */
static void out_part(struct out *o, const struct buf *b, size_t n)
{
	size_t done = n;
	const char *line;

	if (n && !o->err && !o->mute) {
		o->err = out_put(o->file, b->data, n, &done);
		line = done ? memrchr(b->data, '\n', done) : NULL;
		if (line)
			o->whole = o->written + (line + 1 - b->data);
		if (o->err && o->sink->lines && fileno(o->file) >= 0)
			file_cut(fileno(o->file), o->written + done - o->whole);
	}
	o->written += n;
}

void out_write(struct out *o, struct buf *b)
{
	out_part(o, b, b->len);
	buf_reset(b);
}

void out_write_pieces(struct out *o, struct buf *b, size_t piece)
{
	size_t rest = (o->written + b->len) % piece, n = b->len - MIN(rest, b->len);
	const char *line = n ? memrchr(b->data, '\n', n) : NULL;

	if (line)
		n = line + 1 - b->data;
	out_part(o, b, n);
	memmove(b->data, b->data + n, b->len - n);
	b->len -= n;
}

void out_flush(struct out *o)
{
	if (!o->err && fflush(o->file))
		o->err = errno ? errno : EIO;
}
