/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracefs.c - reads the kernel's event files: names, numbers, record formats.
 *
 * If tracefs is not mounted, dtx makes a detached mount (fsmount): it is
 * accessed through its descriptor and ends when that is closed.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>


#include "runtime/code/symtabs.h"
#include "runtime/types/types-private.h"

struct tracefs {
	const char *path;        /* NULL: none */
	int mount_fd;            /* our own mount, -1 none */
	char *names;             /* available_events, cut at each newline and colon */
	VEC(const char *) events;    /* group, event, group, event … */
	bool listed;
};

static int tracefs_mount(void)
{
	int fs = (int)syscall(SYS_fsopen, "tracefs", 1 /* FSOPEN_CLOEXEC */), fd;

	if (fs < 0)
		return -1;
	fd = (int)syscall(SYS_fsconfig, fs, 6 /* FSCONFIG_CMD_CREATE */, NULL, NULL, 0);
	if (!fd)
		fd = (int)syscall(SYS_fsmount, fs, 1 /* FSMOUNT_CLOEXEC */,
				  MS_NOSUID | MS_NODEV | MS_NOEXEC);
	close(fs);
	return fd;
}

static struct tracefs *tracefs_get(struct dtx_env *env)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	struct symtabs *sym = symtabs_get(env);
	struct tracefs *t = sym->tracefs;

	if (t)
		return t;
	t = sym->tracefs = xcalloc(1, sizeof(*t));
	t->mount_fd = -1;
	for (u32 i = 0; i < ARRAY_SIZE(usual) && !t->path; i++) {
		if (!machine_access(env, arena_printf(env->arena, "%s/events", usual[i]),
				    R_OK | X_OK))
			t->path = usual[i];
	}
	if (!t->path && machine_is_here(env) && (t->mount_fd = tracefs_mount()) >= 0)
		t->path = arena_printf(env->arena, "/proc/self/fd/%d", t->mount_fd);
	return t;
}

void tracefs_free(struct tracefs *t)
{
	if (!t)
		return;
	if (t->mount_fd >= 0)
		close(t->mount_fd);
	VEC_FREE(&t->events);
	free(t->names);
	free(t);
}

const char *tracefs_path(struct dtx_env *env)
{
	return tracefs_get(env)->path;
}

/* ---- formats ------------------------------------------------------------------------ */

/* The value after "key" in a line of a format, up to the semicolon; NULL: none. */
static const char *line_value(struct arena *a, const char *line, const char *key)
{
	const char *p = strstr(line, key);

	if (!p)
		return NULL;
	p += strlen(key);
	return arena_strndup(a, p, strcspn(p, ";"));
}

/* Removes address-space words for the kernel's compiler and checker: "void __seg_gs *". */
static const char *without_spaces(struct arena *a, const char *type)
{
	static const char *const words[] = { "__seg_gs ", "__seg_fs ", "__percpu ",
					     "__user ",   "__rcu ",    "__iomem " };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		const char *at = strstr(type, words[i]);

		if (at)
			type = arena_printf(a, "%.*s%s", (int)(at - type), type,
					    at + strlen(words[i]));
	}
	return type;
}

/* "char comm[16]" -> "comm", "char [16]"; "__data_loc char[] name" -> "name", "char []". */
static void field_declaration(struct arena *a, const char *decl, struct tp_field *f)
{
	size_t len = strlen(decl), name;
	const char *bracket = len && decl[len - 1] == ']' ? strrchr(decl, '[') : NULL;
	const char *type;

	f->is_relloc = !strncmp(decl, "__rel_loc ", 10);
	f->is_dataloc = f->is_relloc || !strncmp(decl, "__data_loc ", 11);
	if (f->is_dataloc) {
		decl = strchr(decl, ' ') + 1;
		/* "__rel_loc char name[]" is how kernels print the type "__rel_loc char[]". */
		bracket = f->is_relloc ? bracket : NULL;
	}
	len = bracket ? (size_t)(bracket - decl) : strlen(decl);
	for (name = len; name && decl[name - 1] != ' ' && decl[name - 1] != '*'; name--)
		;
	f->name = arena_strndup(a, decl + name, len - name);
	while (name && decl[name - 1] == ' ')
		name--;
	type = without_spaces(a, arena_strndup(a, decl, name));
	len = strlen(type);
	if (bracket)
		f->ctype = arena_printf(a, "%s %s", type, bracket);
	else if (len > 2 && !strcmp(type + len - 2, "[]") && type[len - 3] != ' ')
		f->ctype = arena_printf(a, "%.*s []", (int)len - 2, type);
	else
		f->ctype = type;
}

bool tracefs_field(struct arena *a, const char *line, struct tp_field *f)
{
	const char *decl = line_value(a, line, "field:"), *off = line_value(a, line, "offset:");
	const char *size = line_value(a, line, "size:"), *sign = line_value(a, line, "signed:");

	if (!decl || !off || !size)
		return false;
	f->off = (u32)strtoul(off, NULL, 10);
	f->size = (u32)strtoul(size, NULL, 10);
	f->is_signed = sign && *sign == '1';
	field_declaration(a, decl, f);
	return true;
}

struct tp_event *tracefs_event(struct dtx_env *env, const char *group, const char *name)
{
	const char *path = tracefs_path(env);
	struct arena *a = env->arena;
	VEC(struct tp_field) fields = { 0 };
	struct tp_event *e;
	char *text, *line, *next, *fmt = NULL;

	if (!path || strchr(group, '/') || strchr(name, '/') ||
	    machine_read(env, arena_printf(a, "%s/events/%s/%s/format", path, group, name), &text,
			 NULL))
		return NULL;
	e = ARENA_NEW(a, struct tp_event);
	e->group = arena_strdup(a, group);
	e->name = arena_strdup(a, name);
	for (line = text; line && *line; line = next) {
		struct tp_field f = { 0 };

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "ID: ", 4))
			e->id = (u32)strtoul(line + 4, NULL, 10);
		else if (!strncmp(line, "print fmt", 9))
			fmt = line;
		else if (tracefs_field(a, line, &f))
			VEC_PUSH(&fields, f);
	}
	e->nfields = fields.n;
	e->fields = arena_memdup(a, fields.v, fields.n * sizeof(*fields.v));
	VEC_FREE(&fields);
	if (fmt)
		tpnames_read(a, e, fmt);
	free(text);
	return e;
}

/* ---- names -------------------------------------------------------------------------- */

static void tracefs_list(struct dtx_env *env, struct tracefs *t)
{
	char *p, *colon, *end;

	if (t->listed || !t->path)
		return;
	t->listed = true;
	if (machine_read(env, arena_printf(env->arena, "%s/available_events", t->path), &t->names,
			 NULL))
		return;
	for (p = t->names; (end = strchr(p, '\n')); p = end + 1) {
		*end = '\0';
		colon = strchr(p, ':');
		if (!colon)
			continue;
		*colon = '\0';
		VEC_PUSH(&t->events, p);
		VEC_PUSH(&t->events, colon + 1);
	}
}

void tracefs_outdated(struct dtx_env *env)
{
	struct tracefs *t = tracefs_get(env);

	free(t->names);
	t->names = NULL;
	t->events.n = 0;
	t->listed = false;
}

int tracefs_each(struct dtx_env *env, const char *group_glob, const char *event_glob,
		 int (*fn)(void *arg, const char *group, const char *event), void *arg)
{
	struct tracefs *t = tracefs_get(env);
	int err = 0;

	tracefs_list(env, t);
	for (u32 i = 0; i + 1 < t->events.n && !err; i += 2) {
		if (glob_matches(group_glob, t->events.v[i]) &&
		    glob_matches(event_glob, t->events.v[i + 1]))
			err = fn(arg, t->events.v[i], t->events.v[i + 1]);
	}
	return err;
}

/* ---- events that were made at run time ---------------------------------------------- */

static const char *const dynamic_files[] = { "dynamic_events", "uprobe_events", "kprobe_events" };

/* The place in "p:GROUP/NAME PLACE …", if the line is about this event. */
static const char *dynamic_place(struct arena *a, const char *line, const char *event)
{
	const char *name = line + strcspn(line, ": \n");
	size_t len = strlen(event);

	if (*name != ':' || strncmp(name + 1, event, len) || name[len + 1] != ' ')
		return NULL;
	name += len + 2;
	return arena_strndup(a, name, strcspn(name, " \n"));
}

const char *tracefs_dynamic(struct dtx_env *env, const char *group, const char *name)
{
	const char *event = arena_printf(env->arena, "%s/%s", group, name), *place = NULL;
	const char *path = tracefs_path(env);

	for (u32 i = 0; path && i < ARRAY_SIZE(dynamic_files) && !place; i++) {
		char *text;

		if (machine_read(env, arena_printf(env->arena, "%s/%s", path, dynamic_files[i]),
				 &text, NULL))
			continue;
		for (char *l = text; l && *l && !place; l = strchr(l, '\n'), l = l ? l + 1 : NULL)
			place = *l == 's' ? NULL : dynamic_place(env->arena, l, event);
		free(text);
	}
	return place;
}
