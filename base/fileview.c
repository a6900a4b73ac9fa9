/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fileview.c - files of code of another machine: a description of it holds some, with their paths.
 * While a view is used, file_open_object() and its like find these and no files of this machine.
 *
 * Symbolic links are followed as that machine follows them.  A file gets a descriptor when it is
 * first opened, of memory alone: nothing is written to a disk, and nothing is left behind.
 * Why: docs/decisions/47-machines.md
 */
#include <dtx/base.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MOST 40            /* in one path, as the kernel (MAXSYMLINKS) */

struct viewed {
	const void *data;                /* whoever made the view keeps it */
	size_t len;
	s64 mtime;                       /* ns since the epoch */
	int fd;                          /* -1: not opened so far */
};

struct file_view {
	struct arena *arena;
	struct map *files, *links;       /* path → struct viewed *, text */
	struct map *here;                /* paths of this machine */
	VEC(struct viewed *) all;
	struct file_view *before;        /* used before this one, of the same description */
};

static struct file_view *used;

struct file_view *file_view_new(void)
{
	struct file_view *v = xcalloc(1, sizeof(*v));

	v->arena = arena_new();
	v->files = map_new();
	v->links = map_new();
	v->here = map_new();
	return v;
}

void file_view_free(struct file_view *v)
{
	if (!v)
		return;
	for (struct file_view **at = &used; *at; at = &(*at)->before)
		if (*at == v) {
			*at = v->before;
			break;
		}
	for (u32 i = 0; i < v->all.n; i++)
		if (v->all.v[i]->fd >= 0)
			close(v->all.v[i]->fd);
	VEC_FREE(&v->all);
	map_free(v->files);
	map_free(v->links);
	map_free(v->here);
	arena_free(v->arena);
	free(v);
}

static bool has_same_files(const struct file_view *a, const struct file_view *b)
{
	bool same = a->all.n == b->all.n;

	for (u32 i = 0; i < a->all.n && same; i++) {
		const struct viewed *f = a->all.v[i], *g = b->all.v[i];

		same = f->len == g->len && f->mtime == g->mtime &&
		       !memcmp(f->data, g->data, f->len);
	}
	return same;
}

/* Handles of one process may have the same description, each as a view of its own. */
bool file_view_use(struct file_view *v)
{
	if (used && !has_same_files(used, v))
		return false;
	v->before = used;
	used = v;
	return true;
}

void file_view_add(struct file_view *v, const char *path, const void *data, size_t len, s64 mtime)
{
	struct viewed *f = ARENA_NEW(v->arena, struct viewed);

	*f = (struct viewed){ data, len, mtime, -1 };
	VEC_PUSH(&v->all, f);
	map_set(v->files, path, f);
}

void file_view_link(struct file_view *v, const char *path, const char *to)
{
	map_set(v->links, path, arena_strdup(v->arena, to));
}

void file_view_except(const char *path)
{
	if (used)
		map_set(used->here, path, used);
}

/* ---- paths ---------------------------------------------------------------------------------- */

struct walk {
	char done[PATH_MAX], rest[PATH_MAX];
	u32 links;
};

static void step_back(char *done)
{
	char *slash = strrchr(done, '/');

	if (slash)
		*slash = '\0';
}

/* What the link leads to goes before the rest of the path. */
static bool follow_link(struct walk *w, const char *to, const char *rest)
{
	char joined[PATH_MAX];
	int n = snprintf(joined, sizeof(joined), "%s/%s", to, rest);

	if (n >= (int)sizeof(joined) || ++w->links > LINKS_MOST)
		return false;
	if (*to == '/')
		*w->done = '\0';
	else
		step_back(w->done);
	memcpy(w->rest, joined, (size_t)n + 1);
	return true;
}

/* The path without links, ".." and "."; false: none that this machine's files could have. */
static bool walk_view(const struct file_view *v, const char *path, char *real)
{
	struct walk w = { .links = 0 };
	const char *rest = w.rest;

	if (*path != '/' || snprintf(w.rest, sizeof(w.rest), "%s", path) >= (int)sizeof(w.rest))
		return false;
	while (*(rest += strspn(rest, "/"))) {
		size_t n = strcspn(rest, "/"), len = strlen(w.done);
		const char *to;

		if (n == 1 && *rest == '.') {
			rest += n;
			continue;
		}
		if (n == 2 && !memcmp(rest, "..", 2)) {
			step_back(w.done);
			rest += n;
			continue;
		}
		if (len + 1 + n >= sizeof(w.done))
			return false;
		snprintf(w.done + len, sizeof(w.done) - len, "/%.*s", (int)n, rest);
		rest += n;
		to = map_get(v->links, w.done);
		if (!to)
			continue;
		if (!follow_link(&w, to, rest))
			return false;
		rest = w.rest;
	}
	snprintf(real, PATH_MAX, "%s", w.done);
	return true;
}

bool file_view_has(const char *path)
{
	return used && !map_get(used->here, path);
}

bool file_view_real(const char *path, char *real)
{
	return walk_view(used, path, real);
}

/* ---- opening -------------------------------------------------------------------------------- */

static int fill(const struct viewed *f)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
				     { f->mtime / 1000000000, f->mtime % 1000000000 } };
	int fd = memfd_create("dtx", MFD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = file_write(fd, f->data, f->len, NULL);
	if (!err && futimens(fd, times))
		err = -errno;
	if (err)
		close(fd);
	return err ? err : fd;
}

int file_view_open(const char *path)
{
	char real[PATH_MAX], self[40];
	struct viewed *f = walk_view(used, path, real) ? map_get(used->files, real) : NULL;
	int fd;

	if (!f)
		return -ENOENT;
	if (f->fd < 0)
		f->fd = fill(f);
	if (f->fd < 0)
		return f->fd;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", f->fd);
	fd = open(self, O_RDONLY | O_CLOEXEC);   /* with a position of its own */
	return fd < 0 ? -errno : fd;
}
