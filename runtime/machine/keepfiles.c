/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keepfiles.c - the files of this machine that a description keeps: those of machine.def.
 *
 * What this user may not read is named in the description.  What is not there is not: it is the
 * same for a program that is compiled here.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "runtime/machine/archive.h"

#define TRACEFS "/sys/kernel/tracing"    /* its name in a description, wherever it is here */

struct machine_record {
	struct dtx_env *env;
	const char *tracefs;             /* where it is here; NULL: not readable */
	bool all;                        /* machine_record_files() */
	struct buf tar;
	struct programs_record programs;
	u64 lacks;                       /* bits of rows */
	u32 row;                         /* being read */
};

static void record_failed(struct machine_record *r, int err)
{
	if (!r->all && (err == -EACCES || err == -EPERM))
		r->lacks |= 1ull << r->row;
}

/* Where a path of a description is here, in the arena. */
static const char *path_here(struct machine_record *r, const char *path)
{
	size_t n = strlen(TRACEFS);

	if (strncmp(path, TRACEFS "/", n + 1))
		return path;
	return arena_printf(r->env->arena, "%s%s", r->tracefs, path + n);
}

static void record_file(struct machine_record *r, const char *path)
{
	struct buf kept = { 0 };
	char *text = NULL;
	size_t len;
	int err = file_read(path_here(r, path), &text, &len);

	if (err) {
		record_failed(r, err);
		return;
	}
	if (!part_keep(mach_defs[r->row].part, text, len, &kept))
		record_failed(r, -EACCES);
	else if (archive_add(&r->tar, path, kept.data ? kept.data : "", kept.len))
		r->lacks |= 1ull << r->row;
	buf_free(&kept);
	free(text);
}

static void record_glob(struct machine_record *r, const char *done, const char *rest);

/* Each name of the folder `done` that matches the part of `rest` up to its next '/', in the order
 * of the folder: programs that are compiled here meet them so. */
static void record_names(struct machine_record *r, const char *done, const char *rest)
{
	size_t n = strcspn(rest, "/");
	const char *part = arena_strndup(r->env->arena, rest, n);
	struct dirent **names;
	int found = scandir(path_here(r, done), &names, NULL, NULL);

	if (found < 0)
		record_failed(r, -errno);
	for (int i = 0; i < found; i++) {
		const char *name = names[i]->d_name;
		bool fits = *name != '.' && glob_matches(part, name) &&
			    (!rest[n] || names[i]->d_type != DT_REG);

		if (fits)
			record_glob(r, arena_printf(r->env->arena, "%s/%s", done, name), rest + n);
		free(names[i]);
	}
	if (found >= 0)
		free(names);
}

/* `done`: names of this machine; `rest`: "", "/" or a glob that begins with '/'. */
static void record_glob(struct machine_record *r, const char *done, const char *rest)
{
	const char *star = strchr(rest, '*'), *slash;

	if (!strcmp(rest, "/")) {
		archive_add(&r->tar, arena_printf(r->env->arena, "%s/", done), "", 0);
		return;
	}
	if (!star) {
		record_file(r, arena_printf(r->env->arena, "%s%s", done, rest));
		return;
	}
	for (slash = star; *slash != '/'; slash--)
		;
	record_names(r, arena_printf(r->env->arena, "%s%.*s", done, (int)(slash - rest), rest),
		     slash + 1);
}

void machine_record_files(struct machine_record *r, const char *tracefs, bool all)
{
	size_t n = strlen(TRACEFS);

	r->tracefs = tracefs;
	r->all = all;
	for (r->row = 0; r->row < MACH_N; r->row++) {
		const char *path = mach_defs[r->row].path;

		if (path && !tracefs && !strncmp(path, TRACEFS, n))
			record_failed(r, -EACCES);
		else if (path)
			record_glob(r, "", path);
	}
}

struct machine_record *machine_record_begin(struct dtx_env *env)
{
	struct machine_record *r = xcalloc(1, sizeof(*r));

	r->env = env;
	env->machine = machine_new();
	machine_note(env, "format", MACH_FORMAT);
	return r;
}

void machine_record_lack_answers(struct machine_record *r)
{
	r->lacks |= 1ull << MACH_ANSWERS;
}

bool machine_record_program(struct machine_record *r, const char *path, const void *data,
			    size_t len, s64 mtime)
{
	return programs_add(&r->programs, r->env->arena, path, mtime) &&
	       !archive_add(&r->tar, r->programs.member, data, len);
}

bool machine_record_link(struct machine_record *r, const char *path, const char *to)
{
	return programs_link(&r->programs, path, to);
}

int machine_record_end(struct machine_record *r, u64 room, char **data, size_t *len)
{
	struct buf *notes = &r->env->machine->notes, lacks = { 0 };
	int err;

	for (u32 i = 0; i < MACH_N; i++)
		if (r->lacks & 1ull << i)
			buf_printf(&lacks, "%s\n",
				   mach_defs[i].path ? mach_defs[i].path : MACH_FILE_ANSWERS);
	archive_add(&r->tar, MACH_FILE_ANSWERS, notes->data, notes->len);
	archive_add(&r->tar, MACH_FILE_LACKS, lacks.data ? lacks.data : "", lacks.len);
	if (r->programs.n)
		archive_add(&r->tar, MACH_FILE_PROGRAMS, r->programs.table.data,
			    r->programs.table.len);
	err = archive_pack(&r->tar, room, data, len);
	buf_free(&lacks);
	buf_free(&r->tar);
	buf_free(&r->programs.table);
	machine_close(r->env);
	free(r);
	return err;
}

void machine_record_lacks(const struct machine_record *r,
			  void (*fn)(void *arg, const char *what, const char *who), void *arg)
{
	for (u32 i = 0; i < MACH_N; i++)
		if (r->lacks & 1ull << i)
			fn(arg, mach_defs[i].what, mach_defs[i].who);
}
