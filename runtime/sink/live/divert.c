/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * divert.c - what is written to the terminal while a view is on it: messages of dtx, the output of
 * commands of -c and system().
 *
 * Standard output and standard error, where they are terminals, become files in memory.  Nobody
 * waits for their reader, unlike with a pipe.  The commands' output goes to the log of the view;
 * in the end the begin and the end of all of it is printed.  What lies between is given back to
 * the system, so that memory stays bounded.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sink/live/live.h"

#define DIVERT_KEEP  (64 << 10)  /* bytes, of the begin and of the end */

struct diverted {
	int fd;                  /* 1 or 2 */
	int real, file;          /* the terminal; the memory file */
	off_t read;              /* what the log has */
	off_t freed;             /* up to here memory was given back */
};

struct divert {
	struct diverted v[2];    /* output (and commands), messages */
};

/* For divert_undo(). */
static volatile sig_atomic_t divert_real[3] = { -1, -1, -1 };

static bool divert_one(struct diverted *d, int fd)
{
	*d = (struct diverted){ .fd = fd, .real = -1, .file = -1, .freed = DIVERT_KEEP };
	if (!isatty(fd))
		return true;
	d->real = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	d->file = memfd_create("dtx", MFD_CLOEXEC);
	if (d->real < 0 || d->file < 0 || fcntl(d->file, F_SETFL, O_APPEND))
		return false;
	divert_real[fd] = d->real;
	return dup2(d->file, fd) == fd;
}

struct divert *divert_new(void)
{
	struct divert *d = xcalloc(1, sizeof(*d));

	d->v[1].real = d->v[1].file = -1;
	fflush(NULL);            /* what was printed so far is for the terminal */
	if (divert_one(&d->v[0], 1) && divert_one(&d->v[1], 2))
		return d;
	divert_free(d);
	return NULL;
}

static off_t divert_size(const struct diverted *d)
{
	struct stat st;

	return d->file < 0 || fstat(d->file, &st) ? 0 : st.st_size;
}

/* Gives back what lies between the first and the last bytes that are kept. */
static void divert_trim(struct diverted *d)
{
	off_t to = divert_size(d) - DIVERT_KEEP;

	if (to - d->freed < DIVERT_KEEP)
		return;
	fallocate(d->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, d->freed, to - d->freed);
	d->freed = to;
}

void divert_read(struct divert *d, struct view *view)
{
	struct diverted *out = &d->v[0];
	char text[4096];
	ssize_t n;

	while (out->file >= 0 && (n = pread(out->file, text, sizeof(text), out->read)) > 0) {
		out->read += n;
		view_text(view, VIEW_COMMAND, text, n);
	}
	divert_trim(out);
	divert_trim(&d->v[1]);
}

/* The end of a sequence that sets colours, "ESC [ 1 ; 31 m", at p; NULL: it is another one. */
static const char *colour_end(const char *p, const char *end)
{
	if (end - p < 3 || p[0] != '\033' || p[1] != '[')
		return NULL;
	for (p += 2; p < end && ((*p >= '0' && *p <= '9') || *p == ';');)
		p++;
	return p < end && *p == 'm' ? p + 1 : NULL;
}

/* A command wrote this for a screen that was not there.  Lines and colours stay. */
static void divert_clean(struct buf *b)
{
	const char *p = b->data, *end = p + b->len, *next;
	struct buf out = { 0 };

	while (p < end) {
		const char *stop = memchr(p, '\033', end - p);

		stop = stop ? stop : end;
		buf_plain(&out, p, stop - p, PLAIN_LINES);
		next = stop < end ? colour_end(stop, end) : stop;
		if (next)
			buf_add(&out, stop, next - stop);
		else
			buf_plain(&out, stop, 1, 0);
		p = next ? next : stop + 1;
	}
	buf_free(b);
	*b = out;
}

static void divert_print(struct diverted *d, off_t from, off_t to)
{
	struct buf out = { 0 };
	char text[4096];
	ssize_t n = 1;

	while (from < to && n > 0) {
		n = pread(d->file, text, MIN((off_t)sizeof(text), to - from), from);
		if (n > 0)
			buf_add(&out, text, n);
		from += n;
	}
	divert_clean(&out);
	if (out.len && write(d->fd, out.data, out.len) < 0)
		errno = 0;       /* the terminal is gone */
	buf_free(&out);
}

static void divert_end_one(struct diverted *d)
{
	off_t size = divert_size(d);

	if (d->real < 0)
		return;
	divert_real[d->fd] = -1;
	dup2(d->real, d->fd);
	if (size <= 2 * DIVERT_KEEP) {
		divert_print(d, 0, size);
	} else {
		divert_print(d, 0, DIVERT_KEEP);
		dprintf(d->fd, "\n[%lld bytes are left out here]\n",
			(long long)(size - 2 * DIVERT_KEEP));
		divert_print(d, size - DIVERT_KEEP, size);
	}
	close(d->real);
	close(d->file);
	d->real = d->file = -1;
}

void divert_end(struct divert *d)
{
	fflush(NULL);
	for (u32 i = 0; i < ARRAY_SIZE(d->v); i++)
		divert_end_one(&d->v[i]);
}

void divert_undo(void)
{
	for (int fd = 1; fd <= 2; fd++)
		if (divert_real[fd] >= 0)
			dup2(divert_real[fd], fd);
}

bool divert_has(const struct divert *d, int fd)
{
	return d && d->v[fd - 1].real >= 0;
}

void divert_free(struct divert *d)
{
	if (!d)
		return;
	divert_end(d);
	free(d);
}
