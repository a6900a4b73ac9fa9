/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * outfile.c - the files of sinks beside the output.  A file that is made of the end of a run is
 * written whole or stays as it was; one that grows with the run ends with something whole when the
 * disk is full.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sink/sink.h"

/* Bytes that are given back when the disk is full, at least: room for the tail. */
#define ROOM  8192

int outfile_open_at(struct outfile *f, struct out *o, int dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct stat st;

	*f = (struct outfile){ .path = path, .dir = dir };
	f->name = dir == AT_FDCWD || !slash ? path : slash + 1;
	f->made = faccessat(dir, f->name, F_OK, 0) != 0;
	f->fd = env_create_at(o->env, dir, f->name, O_WRONLY);
	if (f->fd < 0)
		return dtx_env_fail(o->env, f->fd, "cannot open %s (option %s): %s", path,
				    o->sink->name, file_why(-f->fd));
	f->regular = !fstat(f->fd, &st) && S_ISREG(st.st_mode);
	return 0;
}

int outfile_open(struct outfile *f, struct out *o, const char *path)
{
	return outfile_open_at(f, o, AT_FDCWD, path);
}

/* Takes back what is not whole, and ends the file. */
static void outfile_spoiled(struct outfile *f, struct out *o)
{
	u64 to = f->tail ? f->sooner : f->whole;

	if (!file_cut(f->fd, f->size - to))
		return;
	f->size = to;
	if (to && f->tail && file_write(f->fd, f->tail, strlen(f->tail), NULL))
		return;
	o->left = to ? "; the file has what came before" : "; no part of it is left";
}

void outfile_write(struct outfile *f, struct out *o, struct buf *b)
{
	size_t done = 0;

	if (!o->err && !f->begun && f->regular && ftruncate(f->fd, 0))
		o->err = errno;
	f->begun = true;
	if (o->err) {
		buf_reset(b);
		return;
	}
	o->err = -file_write(f->fd, b->data, b->len, &done);
	f->size += done;
	buf_reset(b);
	if (o->err) {
		outfile_spoiled(f, o);
		return;
	}
	f->whole = f->size;
	if (f->size - f->later >= ROOM) {
		f->sooner = f->later;
		f->later = f->size;
	}
}

void outfile_put(struct outfile *f, struct out *o, const struct buf *b)
{
	o->err = -file_put(f->fd, b->data, b->len);
	f->size = o->err ? 0 : b->len;
	f->wanted = !o->err;
	if (o->err && f->regular)
		o->left = f->made ? "; no part of it is left" : "; the file is as it was";
}

/* An empty file that was made for this is of no use. */
static void outfile_remove(const struct outfile *f)
{
	struct stat st, there;

	if (!fstat(f->fd, &st) && !st.st_size &&
	    !fstatat(f->dir, f->name, &there, AT_SYMLINK_NOFOLLOW) &&
	    there.st_ino == st.st_ino && there.st_dev == st.st_dev &&
	    unlinkat(f->dir, f->name, 0))
		errno = 0;               /* the rights to do it may have been given up */
}

void outfile_close(struct outfile *f, struct out *o)
{
	if (!f->path || f->fd < 0)
		return;
	if (f->made && f->regular && !f->size && !f->wanted)
		outfile_remove(f);
	if (close(f->fd) && !o->err)
		o->err = errno;
	f->fd = -1;
}
