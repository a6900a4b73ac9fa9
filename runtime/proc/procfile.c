/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * procfile.c - the files whose code a process runs, and how they are opened: by their path where it
 * leads to them, in the process's root if that is another one, else through /proc/PID/exe or
 * /proc/PID/map_files, which are the files themselves.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/proc/proc.h"

#define DELETED " (deleted)"     /* what the kernel adds (fs/d_path.c) */

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *in_root(struct arena *a, u32 pid, const char *path)
{
	return arena_printf(a, "/proc/%u/root%s", pid, path);
}

size_t proc_told_len(const char *path)
{
	size_t len = strlen(path), more = strlen(DELETED);

	return len > more && !strcmp(path + len - more, DELETED) ? len - more : len;
}

/* ---- which file it is --------------------------------------------------------------------- */

struct file_id file_id_of(const struct stat *st)
{
	return (struct file_id){ st->st_dev, st->st_ino, (u64)st->st_size,
				 st->st_mtim.tv_sec * 1000000000ll + st->st_mtim.tv_nsec };
}

struct file_id file_identity(const char *path)
{
	struct stat st;

	return file_stat_object(path, &st) ? (struct file_id){ 0 } : file_id_of(&st);
}

bool file_id_same(const struct file_id *a, const struct file_id *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->size == b->size &&
	       a->changed == b->changed;
}

bool file_real(const char *path, struct stat *st, char real[PATH_MAX])
{
	int fd = file_open_object(path, 0);
	bool there = fd >= 0 && !fstat(fd, st);
	char self[40];
	ssize_t len = -1;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (there)
		len = readlink(self, real, PATH_MAX - 1);
	real[MAX(len, 0)] = '\0';
	if (there && file_view_has(path) && !file_view_real(path, real))
		*real = '\0';
	if (fd >= 0)
		close(fd);
	return there;
}

static bool is_at(const char *path, u64 dev, u64 ino)
{
	struct stat now;

	return !stat(path, &now) && now.st_dev == dev && now.st_ino == ino;
}

static bool leads_to(const char *path, const struct proc_file *f)
{
	return is_at(path, f->id.dev, f->id.ino);
}

/* ---- what is mapped ------------------------------------------------------------------------ */

struct proc_mapped proc_mapped_of(u32 pid, const struct proc_map *m)
{
	return (struct proc_mapped){ .pid = pid, .start = m->start, .end = m->end, .told = m->path,
				     .ino = m->inode, .major = m->major, .minor = m->minor };
}

enum way { BY_MAPPING, IN_ROOT, HERE };

struct same_mapping {
	const struct proc_mapped *m;
	bool same;
};

static bool is_same_mapping(void *arg, struct proc_map *now)
{
	struct same_mapping *s = arg;
	const struct proc_mapped *m = s->m;

	s->same = now->start == m->start && now->end == m->end && now->inode == m->ino &&
		  now->major == m->major && now->minor == m->minor;
	return now->start < m->start;
}

/* Is the mapping still there? */
static bool is_still_mapped(const struct proc_mapped *m)
{
	struct same_mapping s = { .m = m };

	return procmap_each(m->pid, is_same_mapping, &s) && s.same;
}

/*
 * Is the open file the mapped one?  What the mapping leads to is another file if the process has
 * called exec() since, or has ended and its number is that of another process: code without PIE is
 * at the same addresses in both.  Some file systems (btrfs, overlayfs) show another device in
 * mappings, and few another inode: then the mapping must still be there.  In the process's root the
 * inode is enough.
 */
static bool is_mapped(const struct proc_mapped *m, int fd, enum way way)
{
	struct file_id id;
	struct stat st;

	if (fstat(fd, &st))
		return false;
	id = file_id_of(&st);
	if (m->is_dated && (id.size != m->size || id.changed != m->changed))
		return false;
	bool is_there = id.ino == m->ino && id.dev == makedev(m->major, m->minor);
	if (is_there || way == BY_MAPPING)
		return is_there || is_still_mapped(m);
	return id.ino == m->ino && (way == IN_ROOT || m->our_root || proc_our_root(m->pid));
}

static int open_way(const struct proc_mapped *m, const char *path, enum way way)
{
	int fd = file_open_object(path, 0);

	if (fd < 0 || is_mapped(m, fd, way))
		return fd;
	close(fd);
	return -ENOENT;
}

int proc_mapped_open(const struct proc_mapped *m, char path[PROC_PATH])
{
	char self[PROCMAP_FILE];
	struct stat st;
	int fd = -ENOENT;

	procmap_file(self, m->pid, m->start, m->end);
	if (m->end)
		fd = open_way(m, self, BY_MAPPING);
	proc_in_root(path, m->pid, m->told);
	if (fd < 0)
		fd = open_way(m, path, IN_ROOT);
	if (fd < 0)
		fd = open_way(m, m->told, HERE);
	if (fd >= 0 && !fstat(fd, &st) && is_at(m->told, st.st_dev, st.st_ino))
		snprintf(path, PROC_PATH, "%s", m->told);
	return fd;
}

/* ---- as a path ----------------------------------------------------------------------------- */

/* self: what opens the file itself. */
static void find(struct arena *a, u32 pid, const char *self, struct proc_file *f)
{
	struct stat its;

	if (stat(self, &its)) {                  /* without rights: by its path, as it is told */
		f->path = proc_elsewhere(pid) ? in_root(a, pid, f->told) : f->told;
		return;
	}
	f->id = file_id_of(&its);
	f->path = f->told;
	if (leads_to(f->path, f))
		return;
	f->path = in_root(a, pid, f->told);
	if (leads_to(f->path, f))
		return;
	f->gone = true;
	f->path = arena_strdup(a, self);
	f->told = arena_strndup(a, f->told, proc_told_len(f->told));
}

void proc_file_mapped(struct arena *a, u32 pid, const struct proc_map *m, struct proc_file *f)
{
	char self[PROCMAP_FILE];

	*f = (struct proc_file){ .told = arena_strdup(a, m->path) };
	procmap_file(self, pid, m->start, m->end);
	find(a, pid, self, f);
}

const char *proc_exe_told(struct arena *a, u32 pid)
{
	char self[40], to[PATH_MAX];
	ssize_t len;

	snprintf(self, sizeof(self), "/proc/%u/exe", pid);
	len = readlink(self, to, sizeof(to) - 1);
	return len < 0 ? NULL : arena_strndup(a, to, len);
}

bool proc_file_exe(struct arena *a, u32 pid, struct proc_file *f)
{
	char self[40];

	*f = (struct proc_file){ .told = proc_exe_told(a, pid) };
	if (!f->told)
		return false;
	snprintf(self, sizeof(self), "/proc/%u/exe", pid);
	find(a, pid, self, f);
	return true;
}

/* ---- by name ------------------------------------------------------------------------------ */

struct naming {
	struct arena *arena;
	u32 pid;
	struct stat st;                  /* of the file that has the path now */
	bool there;
	const char *full;                /* the path without symbolic links; NULL: unknown */
	const char *path;                /* as it was given */
	struct proc_file found;
	bool mapped;                     /* found: the file itself */
};

static bool has_name(const struct naming *n, const struct proc_file *f)
{
	return !strcmp(f->told, n->path) || (n->full && !strcmp(f->told, n->full));
}

/* The file that is there now goes before one that was there.  false: it is the one. */
static bool consider(struct naming *n, const struct proc_file *f)
{
	n->mapped = n->there && f->id.ino == n->st.st_ino && f->id.dev == n->st.st_dev;
	if (n->mapped || (f->gone && !n->found.path && has_name(n, f)))
		n->found = *f;
	return !n->mapped;
}

static bool consider_mapping(void *arg, struct proc_map *m)
{
	struct naming *n = arg;
	struct proc_file f;

	if (!m->code || *m->path != '/')
		return true;
	proc_file_mapped(n->arena, n->pid, m, &f);
	return consider(n, &f);
}

/* Where a symbolic link leads whose file is not there any more; NULL: it is none. */
static const char *link_to(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	char to[PATH_MAX], *dir;
	ssize_t len = readlink(path, to, sizeof(to) - 1);

	if (len <= 0 || !slash)
		return NULL;
	to[len] = '\0';
	if (*to == '/')
		return arena_strdup(a, to);
	dir = realpath(arena_printf(a, "%.*s/%.*s/.", (int)(slash - path), path,
				    (int)(path_base(to) - to), to), NULL);
	path = dir ? arena_printf(a, "%s/%s", dir, path_base(to)) : NULL;
	free(dir);
	return path;
}

static bool file_look(struct naming *n, const char *path)
{
	char to[PATH_MAX];

	n->there = file_real(path, &n->st, to);
	if (n->there)
		n->full = *to ? arena_strdup(n->arena, to) : NULL;
	else
		n->full = link_to(n->arena, path);
	return n->there;
}

/* The path of the file that is there now: below a root of others without links, which would lead
 * elsewhere here. */
static const char *path_now(const struct naming *n, const char *path)
{
	struct proc_file f = { .id = file_id_of(&n->st) };
	const char *below;

	if (!file_below_root(path) || !n->full || leads_to(path, &f))
		return path;
	below = in_root(n->arena, n->pid, n->full);
	return leads_to(below, &f) ? below : leads_to(n->full, &f) ? n->full : path;
}

const char *proc_file_named(struct arena *a, u32 pid, const char *path, bool *mapped)
{
	bool its = *path == '/' && strncmp(path, "/proc/", 6) && proc_elsewhere(pid);
	struct naming n = { .arena = a, .pid = pid, .path = path };
	const char *now = its ? in_root(a, pid, path) : path;
	struct proc_file exe;

	if (file_look(&n, now) || !its)
		its = false;
	else                                     /* a path of dtx: only if that file is mapped */
		file_look(&n, now = path);
	if (!proc_file_exe(a, pid, &exe) || consider(&n, &exe))
		procmap_each(pid, consider_mapping, &n);
	*mapped = n.found.path;
	if (n.found.path && !n.mapped)
		return n.found.path;
	return n.there && (n.mapped || !its) ? path_now(&n, now) : NULL;
}
