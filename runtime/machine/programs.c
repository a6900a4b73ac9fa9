/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.c - programs and libraries in a description: each file whole, under a number, and a
 * table of their paths and of the symbolic links that lead to them.  While such a machine is
 * compiled for, these are the files of code, and those of this machine are none (base/fileview.c).
 * Why: docs/decisions/47-machines.md
 */
#include <stdlib.h>

#include "runtime/machine/archive.h"

/* A line of the table: "file NUMBER MTIME PATH" or "link LENGTH PATH TARGET", with the length of
 * PATH.  Paths with a line's end are not recorded. */

static const char *number_of_file(struct arena *a, u32 n)
{
	return arena_printf(a, MACH_FOLDER_PROGRAMS "%u", n);
}

bool programs_add(struct programs_record *r, struct arena *a, const char *path, s64 mtime)
{
	if (strchr(path, '\n'))
		return false;
	buf_printf(&r->table, "file %u %lld %s\n", r->n, (long long)mtime, path);
	r->member = number_of_file(a, r->n++);
	return true;
}

bool programs_link(struct programs_record *r, const char *path, const char *to)
{
	if (strchr(path, '\n') || strchr(to, '\n'))
		return false;
	buf_printf(&r->table, "link %zu %s %s\n", strlen(path), path, to);
	return true;
}

/* ---- a description is taken ----------------------------------------------------------------- */

static bool take_file(struct machine *m, struct arena *a, char *line)
{
	const struct archive_member *f;
	char *end, *path;
	u32 n = (u32)strtoul(line, &end, 10);
	s64 mtime = *end == ' ' ? strtoll(end + 1, &path, 10) : 0;

	f = *end == ' ' && !strncmp(path, " /", 2) ? map_get(m->files, number_of_file(a, n)) : NULL;
	if (f)
		file_view_add(m->programs, path + 1, f->data, f->len, mtime);
	return f;
}

static bool take_link(struct machine *m, char *line)
{
	char *path;
	size_t len = strtoul(line, &path, 10);

	if (strncmp(path, " /", 2) || len >= strlen(path + 1) || path[1 + len] != ' ')
		return false;
	path[1 + len] = '\0';
	file_view_link(m->programs, path + 1, path + 2 + len);
	return true;
}

const char *programs_take(struct machine *m, struct arena *a)
{
	const struct archive_member *table = map_get(m->files, MACH_FILE_PROGRAMS);
	char *save = NULL;
	bool good = true;

	if (!table || !table->len)
		return NULL;
	m->programs = file_view_new();
	for (char *l = strtok_r(arena_strndup(a, table->data, table->len), "\n", &save); l && good;
	     l = strtok_r(NULL, "\n", &save))
		good = !strncmp(l, "file ", 5) ? take_file(m, a, l + 5) :
		       !strncmp(l, "link ", 5) && take_link(m, l + 5);
	if (!good)
		return "it is damaged: describe the machine again";
	return file_view_use(m->programs) ? NULL :
	       "it has programs, and another handle of this process compiles for another machine "
	       "with some";
}
