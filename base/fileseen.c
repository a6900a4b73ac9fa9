/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fileseen.c - what a compilation looks at: the key of its result (runtime/image/imgcache.c).
 *
 * The functions of file.c note each path before they open it, so nobody can forget to.  What is no
 * file (processes, folders that are searched) makes the result one of this moment, which nobody may
 * use again.
 * Why: docs/decisions/53-cache.md
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <dtx/base.h>

static struct {
	pthread_mutex_t lock;            /* files are read in other threads, too */
	struct files_seen *now;          /* NULL: nothing is noted */
	struct map *known;               /* paths */
} seen = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool files_seen_begin(void)
{
	bool begins;

	pthread_mutex_lock(&seen.lock);
	begins = !seen.now;
	if (begins) {
		seen.now = xcalloc(1, sizeof(*seen.now));
		seen.now->arena = arena_new();
		seen.known = map_new();
	}
	pthread_mutex_unlock(&seen.lock);
	return begins;
}

void files_seen_end(struct files_seen *s)
{
	pthread_mutex_lock(&seen.lock);
	*s = *seen.now;
	free(seen.now);
	seen.now = NULL;
	map_free(seen.known);
	pthread_mutex_unlock(&seen.lock);
}

/* The lock is held. */
static void note(struct files_seen *s, const char *path)
{
	u32 n = s->n;

	if (map_add(seen.known, path, s))
		return;
	ARENA_PUSH(s->arena, s->paths, s->n, arena_strdup(s->arena, path));
	ARENA_PUSH(s->arena, s->states, n, file_seen_now(path));
}

void file_note(const char *path)
{
	pthread_mutex_lock(&seen.lock);
	if (seen.now)
		note(seen.now, path);
	pthread_mutex_unlock(&seen.lock);
}

void file_note_passing(void)
{
	pthread_mutex_lock(&seen.lock);
	if (seen.now)
		seen.now->passing = true;
	pthread_mutex_unlock(&seen.lock);
}

static s64 time_ns(struct timespec t)
{
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

struct file_seen file_seen_now(const char *path)
{
	struct file_seen f = { 0 };
	int before = errno;
	struct stat st;

	if (stat(path, &st))
		f.err = errno;
	else if (S_ISDIR(st.st_mode))    /* which one: what is in it is noted by itself */
		f = (struct file_seen){ .dev = st.st_dev, .ino = st.st_ino };
	else
		f = (struct file_seen){ st.st_dev, st.st_ino, (u64)st.st_size,
					time_ns(st.st_mtim), time_ns(st.st_ctim), 0 };
	errno = before;
	return f;
}

bool file_seen_same(const struct file_seen *a, const struct file_seen *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	       a->mtime == b->mtime && a->ctime == b->ctime && a->err == b->err;
}
