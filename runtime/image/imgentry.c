/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgentry.c - the folder of compiled programs: $XDG_CACHE_HOME/dtx or ~/.cache/dtx.
 *
 * What is read there runs in the kernel.  So nobody but this user and the superuser may be able to
 * put it there: folder and entry are this user's, and every folder above is of one of the two.
 * With another user's HOME (sudo may keep it) there is no folder, and none is made.
 *
 * An entry is complete: others see all of it or nothing.  Whatever goes wrong leaves the program
 * to be compiled as ever, without a word.
 * Why: docs/decisions/53-cache.md
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/image/image.h"

#define ENTRIES_MOST  256
#define BYTES_MOST    (64u << 20)        /* of all entries */
#define ENTRY_MOST    (8u << 20)         /* bytes of one */
#define ENTRY_NAME    "program-"
#define NEW_NAME      "new-"             /* being written */
#define NEW_SECONDS   3600               /* what is older was left behind */

/* ---- who may write ------------------------------------------------------------------------- */

static bool is_trusted(const struct stat *st)
{
	return (!st->st_uid || st->st_uid == geteuid()) &&
	       (!(st->st_mode & (S_IWGRP | S_IWOTH)) || st->st_mode & S_ISVTX);
}

/* This folder and all above it: nobody else can put another one in the place of one of them. */
static bool is_way_trusted(int folder)
{
	int at = dup(folder), up;
	struct stat st, above;
	bool good = false;

	while (at >= 0 && !fstat(at, &st) && is_trusted(&st)) {
		up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = up;
		if (up < 0 || fstat(up, &above))
			break;
		good = above.st_dev == st.st_dev && above.st_ino == st.st_ino;
		if (good)                        /* the root */
			break;
	}
	if (at >= 0)
		close(at);
	return good;
}

/* Opens a folder in another one, and makes it if it is not there. */
static int open_folder_in(int folder, const char *name, int flags)
{
	flags |= O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	int fd = openat(folder, name, flags);

	if (fd >= 0 || errno != ENOENT || mkdirat(folder, name, 0700))
		return fd;
	return openat(folder, name, flags);
}

/* The last part of the path is made if it is missing. */
static int open_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *above = xprintf("%.*s/", (int)(slash - path), path);
	int up = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;

	free(above);
	if (up >= 0 && is_way_trusted(up))
		fd = open_folder_in(up, slash[1] ? slash + 1 : ".", 0);
	if (up >= 0)
		close(up);
	return fd;
}

static char *base_path(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path;

	if (base && *base == '/')
		path = xstrdup(base);
	else if (home && *home == '/')
		path = xprintf("%s/.cache", home);
	else
		return NULL;
	for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
		path[n - 1] = '\0';
	return path;
}

static int open_ours(void)
{
	char *path = base_path();
	int base = path ? open_base(path) : -1, fd = -1;
	struct stat st;

	free(path);
	if (base >= 0 && is_way_trusted(base))
		fd = open_folder_in(base, "dtx", O_NOFOLLOW);
	if (base >= 0)
		close(base);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
		return fd;
	close(fd);
	return -1;
}

int imgentry_folder(void)
{
	u32 taken = file_as_user();
	int fd = open_ours();

	file_as_before(taken);
	return fd;
}

/* ---- reading and writing ------------------------------------------------------------------- */

static void entry_name(char name[32], u64 hash)
{
	snprintf(name, 32, ENTRY_NAME "%016llx", (unsigned long long)hash);
}

char *imgentry_read(int folder, u64 hash, size_t *len)
{
	char name[32], *data = NULL;
	struct stat st;
	int fd;

	entry_name(name, hash);
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size <= ENTRY_MOST &&
	    file_read_fd(fd, &data, len))
		data = NULL;
	close(fd);
	return data;
}

void imgentry_used(int folder, u64 hash)
{
	char name[32];

	entry_name(name, hash);
	utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW);
}

struct entry {
	char name[32];
	s64 used;                        /* ns since the epoch */
	u64 bytes;
};

static int entry_older(const void *a, const void *b)
{
	s64 x = ((const struct entry *)a)->used, y = ((const struct entry *)b)->used;

	return (x > y) - (x < y);
}

/* Is it one?  What others left half-written is removed. */
static bool entry_look(int folder, const char *name, struct entry *e)
{
	bool fresh = !strncmp(name, NEW_NAME, strlen(NEW_NAME));
	struct stat st;

	if ((!fresh && strncmp(name, ENTRY_NAME, strlen(ENTRY_NAME))) ||
	    strlen(name) >= sizeof(e->name) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW))
		return false;
	if (fresh) {
		if (st.st_mtim.tv_sec + NEW_SECONDS < clock_ns(CLOCK_REALTIME) / 1000000000)
			unlinkat(folder, name, 0);
		return false;
	}
	strcpy(e->name, name);
	e->used = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
	e->bytes = (u64)st.st_size;
	return true;
}

/* The least recently used go first. */
static void entries_bound(int folder)
{
	int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	VEC(struct entry) all = { 0 };
	u64 bytes = 0;
	struct dirent *d;
	struct entry e;

	while (dir && (d = readdir(dir))) {
		if (!entry_look(folder, d->d_name, &e))
			continue;
		VEC_PUSH(&all, e);
		bytes += e.bytes;
	}
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), entry_older);
	for (u32 i = 0; all.n - i > ENTRIES_MOST || bytes > BYTES_MOST; i++) {
		unlinkat(folder, all.v[i].name, 0);
		bytes -= all.v[i].bytes;
	}
	VEC_FREE(&all);
	if (dir)
		closedir(dir);
	else if (own >= 0)
		close(own);
}

void imgentry_write(int folder, u64 hash, const struct buf *b)
{
	char name[32], fresh[32];
	struct rlimit most;
	int fd, err;

	if (b->len > ENTRY_MOST || (!getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur < b->len))
		return;
	entry_name(name, hash);
	snprintf(fresh, sizeof(fresh), NEW_NAME "%d-%llx", getpid(),
		 (unsigned long long)clock_ns(CLOCK_MONOTONIC) & 0xffffffff);
	fd = openat(folder, fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	err = file_write(fd, b->data, b->len, NULL);
	if (close(fd) || err || renameat(folder, fresh, folder, name))
		unlinkat(folder, fresh, 0);
	else
		entries_bound(folder);
}
