/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit.c - code made at run time: /tmp/perf-PID.map, in which a process describes it.
 *
 * A line is "START SIZE name", both numbers in hexadecimal.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sym/tables.h"

struct jit {
	VEC(struct jitsym) syms;         /* by address */
	struct arena *names;
};

static int jit_cmp(const void *a, const void *b)
{
	u64 x = ((const struct jitsym *)a)->addr, y = ((const struct jitsym *)b)->addr;

	return x < y ? -1 : x > y;
}

struct jit *jit_parse(char *text)
{
	struct jit *j = xcalloc(1, sizeof(*j));
	char *line, *next, *q;

	j->names = arena_new();
	for (line = text; (next = strchr(line, '\n')); line = next + 1) {
		struct jitsym s;

		*next = '\0';
		s.addr = strtoull(line, &q, 16);
		s.size = strtoull(q, &q, 16);
		if (*q++ != ' ')
			continue;
		s.name = arena_strdup(j->names, q);
		VEC_PUSH(&j->syms, s);
	}
	if (j->syms.n)
		qsort(j->syms.v, j->syms.n, sizeof(*j->syms.v), jit_cmp);
	return j;
}

void jit_free(struct jit *j)
{
	if (!j)
		return;
	VEC_FREE(&j->syms);
	arena_free(j->names);
	free(j);
}

const struct jitsym *jit_at(const struct jit *j, u64 addr)
{
	u32 lo = 0, hi = j->syms.n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (j->syms.v[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr - j->syms.v[lo - 1].addr < j->syms.v[lo - 1].size ? &j->syms.v[lo - 1]
									    : NULL;
}

/* ---- the file ----------------------------------------------------------------------------- */

/* The process's own number in its innermost namespace. */
static u32 ns_pid(u32 pid)
{
	char path[40], *text, *p;
	u32 n = pid;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (file_read(path, &text, NULL))
		return pid;
	p = strstr(text, "\nNSpid:");
	if (p) {
		for (p += 7; *p == '\t' || *p == ' ';)
			n = (u32)strtoul(p, &p, 10);
	}
	free(text);
	return n;
}

/* Only a file written by the process's own user is trusted. */
static int jit_open(u32 pid)
{
	char path[80];
	struct stat file, process;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	if (stat(path, &process))
		return -1;
	snprintf(path, sizeof(path), "/proc/%u/root/tmp/perf-%u.map", pid, ns_pid(pid));
	fd = file_open_object(path, O_NOFOLLOW);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &file) && file.st_uid == process.st_uid)
		return fd;
	close(fd);
	return -1;
}

struct jit *jit_read(u32 pid)
{
	int fd = jit_open(pid);
	struct jit *j = NULL;
	char *text;

	if (fd < 0)
		return NULL;
	if (!file_read_fd(fd, &text, NULL)) {
		j = jit_parse(text);
		free(text);
	}
	close(fd);
	return j;
}
