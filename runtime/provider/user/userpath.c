/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userpath.c - the names of programs and libraries in descriptions, for the providers uprobe and
 * usdt: paths, names in PATH and of libraries.
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/env.h>

#include "runtime/code/names.h"
#include "runtime/machine/machine.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"

static const char *in_path(struct dtx_env *env, const char *name)
{
	const char *dirs = machine_is_here(env) ? getenv("PATH") : machine_answer(env, "path");

	for (const char *d = dirs ? dirs : "/usr/bin:/bin"; *d; d += *d == ':') {
		size_t len = strcspn(d, ":");
		const char *path = arena_printf(env->arena, "%.*s/%s", (int)len, d, name);

		if (len && !file_access_object(path, X_OK))
			return path;
		d += len;
	}
	return NULL;
}

const char *user_literal(struct dtx_env *env, const char *pattern)
{
	char *out = arena_strdup(env->arena, pattern), *to = out;

	for (const char *s = pattern; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		*to++ = *s;
	}
	*to = '\0';
	return out;
}

/* A file that exists, and that the process of -p does not use: it may load it later, or the name is
 * that of another file by now. */
static void tell_idle(struct dtx_env *env, const char *path)
{
	struct map *idle = user_idle(env);
	struct range nowhere = { 0 };

	if (!env->target_grabbed || env->listing || env_is_quiet(env) || map_get(idle, path))
		return;
	map_set(idle, path, idle);
	diag_warn(&env->diags, DIAG_NONE, nowhere,
		  "process %d does not use the file %s now: its probes fire if it is loaded later",
		  env->target_pid, path);
}

/* A path means what it does for the process of -p or -c. */
static const char *path_in_target(struct dtx_env *env, const char *name)
{
	bool mapped;
	const char *path = proc_file_named(env->arena, env->target_pid, name, &mapped);

	if (path && !mapped)
		tell_idle(env, path);
	return path;
}

const char *user_path(struct dtx_env *env, const char *name)
{
	const char *path, *its;

	if (strchr(name, '/') && env->target_pid)
		return path_in_target(env, name);
	if (strchr(name, '/'))
		return file_access_object(name, F_OK) ? NULL : arena_strdup(env->arena, name);
	if (!strcmp(name, "a.out"))
		return env->target_exe;
	path = strpbrk(name, "*?") ? NULL : sym_library(env->arena, name);    /* it reads folders */
	path = path ? path : in_path(env, name);
	its = env->target_pid ? process_path(env, env->target_pid, name, path) : NULL;
	return its ? its : path;
}

/* Files of this machine with the same path are others. */
const char *user_not_recorded(struct dtx_env *env, const char *name)
{
	return arena_printf(env->arena, "the description of %s does not have the file of '%s': "
			    "dtx --describe FILE --program %s records it, on that machine",
			    machine_name(env), name, name);
}

/* Which files match, a description cannot tell: it has some of them. */
const char *user_no_globs(struct dtx_env *env)
{
	return machine_is_here(env) ? NULL :
	       arena_printf(env->arena, "the description of %s has only files that were named, so "
			    "a pattern of files has no meaning there: name the file",
			    machine_name(env));
}

struct search {
	struct dtx_env *env;
	const char *name, *found;
	s32 pid;
};

static bool has_in_root(void *arg, u32 pid)
{
	struct search *s = arg;
	char path[PROC_PATH];

	proc_in_root(path, pid, s->name);
	if (file_access(path, F_OK) || !proc_elsewhere(pid))
		return true;
	s->pid = (s32)pid;
	s->found = arena_strdup(s->env->arena, path);
	return false;
}

const char *user_no_file(struct dtx_env *env, const char *name)
{
	struct search s = { .env = env, .name = name };
	struct arena *a = env->arena;

	if (!machine_is_here(env))
		return user_not_recorded(env, name);
	if (!strchr(name, '/'))
		return arena_printf(a, "no library or program '%s' is found; its whole path works "
				    "too", name);
	if (*name == '/')
		proc_each(has_in_root, &s);
	if (s.found)
		return arena_printf(a, "there is no file '%s' here, but in the root of process %d: "
				    "write %s, or -p %d with the path as it is", name, s.pid,
				    s.found, s.pid);
	if (env->target_pid && *name == '/' && proc_elsewhere(env->target_pid))
		return arena_printf(a, "there is no file '%s' in the root of process %d", name,
				    env->target_pid);
	return arena_printf(a, "there is no file '%s'", name);
}
