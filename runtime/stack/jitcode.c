/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitcode.c - the code that one process has made: the files in which it describes it.
 *
 *   /tmp/perf-PID.map        text, found by its name (perfmap.c)
 *   …/jit-PID.dump           records, found because the process maps it (jitdump.c)
 *
 * A file stays open, so that what it says last is known when the process has ended and the file is
 * gone.  Only files of the process's own user are trusted.  A map that was written before the
 * process began is that of an earlier process with this number: a container that begins anew has
 * both, and its first process has always the same number.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/proc/proc.h"
#include "runtime/stack/stack-private.h"

#define READ_AGAIN 1000000000ll  /* ns after which the files are read again */
#define BEGAN_ROOM 1000000000ll  /* ns: the clock may have been set a little since */

struct jitcode {
	u32 pid, ns_pid;                 /* ns_pid: in its innermost namespace */
	uid_t uid;
	s64 began;                       /* ns of CLOCK_REALTIME */
	bool known;                      /* all these are */
	bool want_lines;                 /* of the dump */
	bool our_root;                   /* its /tmp is that of dtx */
	s64 read_at;                     /* 0: never, or not to the end */
	struct perfmap *map;
	struct jitdump *dump;
};

struct jitcode *jitcode_new(u32 pid, bool want_lines)
{
	struct jitcode *c = xcalloc(1, sizeof(*c));

	c->pid = pid;
	c->want_lines = want_lines;
	return c;
}

void jitcode_free(struct jitcode *c)
{
	if (!c)
		return;
	perfmap_close(c->map);
	jitdump_close(c->dump);
	free(c);
}

/* Asks while the process is there. */
static void jit_look_at(struct jitcode *c)
{
	char path[40], *text, *p;
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/status", c->pid);
	if (c->known || file_read(path, &text, NULL))
		return;
	c->ns_pid = c->pid;
	p = strstr(text, "\nNSpid:");
	if (p) {
		for (p += 7; *p == '\t' || *p == ' ';)
			c->ns_pid = (u32)strtoul(p, &p, 10);
	}
	free(text);
	snprintf(path, sizeof(path), "/proc/%u", c->pid);
	c->known = !stat(path, &st);
	c->uid = st.st_uid;
	c->began = proc_began(c->pid);
	c->our_root = proc_our_root(c->pid);
}

static int open_trusted(const struct jitcode *c, const char *path)
{
	int fd = file_open_dense(path, O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && c->known && st.st_uid == c->uid)
		return fd;
	close(fd);
	return -1;
}

static bool is_left_over(const struct jitcode *c, int fd)
{
	struct stat st;
	s64 written;

	if (fstat(fd, &st))
		return true;
	written = st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec;
	return c->began && written < c->began - BEGAN_ROOM;
}

static void open_map(struct jitcode *c)
{
	char name[40], path[PROC_PATH];
	int fd;

	if (c->map || !c->known)
		return;
	snprintf(name, sizeof(name), "/tmp/perf-%u.map", c->ns_pid);
	proc_in_root(path, c->pid, name);
	fd = open_trusted(c, path);
	if (fd < 0 && c->our_root)               /* it has ended */
		fd = open_trusted(c, name);
	if (fd >= 0 && is_left_over(c, fd)) {
		budget_old(PERFMAP_KIND, c->pid);
		close(fd);
	} else if (fd >= 0) {
		c->map = perfmap_open(fd, c->pid);
	}
}

void jitcode_mapped(struct jitcode *c, const struct proc_map *m)
{
	const char *name = strrchr(m->path, '/');
	char path[PROC_PATH];
	unsigned pid;
	int end = 0, fd;

	if (c->dump || !name || sscanf(name, "/jit-%u.dump%n", &pid, &end) < 1 || !end)
		return;
	jit_look_at(c);
	procmap_file(path, c->pid, m->start, m->end);
	fd = file_open_dense(path, 0);
	if (fd < 0) {
		proc_in_root(path, c->pid, m->path);
		fd = open_trusted(c, path);
	}
	if (fd >= 0)
		c->dump = jitdump_open(fd, c->pid, c->want_lines);
}

void jitcode_read(struct jitcode *c)
{
	bool all;

	jit_look_at(c);
	open_map(c);
	all = !c->map || perfmap_read(c->map);
	if (c->dump)
		all &= jitdump_read(c->dump);
	c->read_at = all ? clock_ns(CLOCK_MONOTONIC_COARSE) : 0;
}

const struct jitsym *jitcode_at(struct jitcode *c, u64 addr)
{
	const struct jitsym *s;

	if (!c->read_at || clock_ns(CLOCK_MONOTONIC_COARSE) - c->read_at > READ_AGAIN)
		jitcode_read(c);
	s = c->dump ? jitdump_at(c->dump, addr) : NULL;
	return s || !c->map ? s : perfmap_at(c->map, addr);
}

u32 jitcode_line(struct jitcode *c, u64 addr, const char **file)
{
	return c->dump ? jitdump_line(c->dump, addr, file) : 0;
}
