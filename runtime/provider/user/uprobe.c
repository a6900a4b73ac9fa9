/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uprobe.c - functions of a program or library in all processes that run it:
 *
 *     uprobe:PATH:FUNCTION:entry    uprobe:libc:malloc:return    uprobe:/opt/bin/x:main:entry
 *
 * With -p or -c only that process fires, with --follow also what it starts.  uprobe:123:main and
 * uprobe:$target:main are the program of that process.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"

/* The process id in the module field, 0: not a process id. */
static s32 process_of(const struct dtx_env *env, const char *mod)
{
	s32 pid = mod[strspn(mod, "0123456789")] ? 0 : (s32)strtol(mod, NULL, 10);

	return pid > 0 && machine_is_here(env) && proc_exists(pid) ? pid : 0;
}

/* With -p or -c the probe is in that process alone; 0: in all, --follow selects when it fires. */
static s32 only_process(const struct dtx_env *env)
{
	return prov_follows(env) ? 0 : env->target_pid;
}

static int list_object(struct dtx_env *env, const struct dtx_pattern *pat, const char *mod,
		       const char *path, dtx_probe_fn *each, void *arg)
{
	s32 pid = process_of(env, mod);
	struct user_where w = {
		.of = &provider_uprobe, .prov = "uprobe", .mod = mod, .path = path,
		.pid = pid ? pid : only_process(env),
	};

	return user_list(env, pat, &w, each, arg);
}

static int list_paths(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		      void *arg)
{
	s32 pid = env->target_pid;
	bool its = pid && *pat->mod == '/' && strncmp(pat->mod, "/proc/", 6) && proc_elsewhere(pid);
	const char *where = its ? arena_printf(env->arena, "/proc/%d/root%s", pid, pat->mod) :
				  pat->mod;
	glob_t g;
	int err = 0;

	file_note_passing();
	if (!machine_is_here(env) || glob(where, 0, NULL, &g))
		return 0;
	for (size_t i = 0; !err && i < g.gl_pathc; i++) {
		const char *path = arena_strdup(env->arena, g.gl_pathv[i]);

		err = list_object(env, pat, path, path, each, arg);
	}
	globfree(&g);
	return err;
}

static const char *path_of(struct dtx_env *env, const char *mod)
{
	s32 pid = process_of(env, mod);

	return pid ? process_exe(env, pid) : user_path(env, mod);
}

/* Never matched by empty fields: an object must be named. */
static int uprobe_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		       void *arg)
{
	const char *mod, *path;

	if (strcmp(pat->prov, "uprobe") || !*pat->mod || user_missing(env))
		return 0;
	if (glob_is_pattern(pat->mod) && strchr(pat->mod, '/'))
		return list_paths(env, pat, each, arg);
	mod = user_literal(env, pat->mod);
	path = path_of(env, mod);
	return path ? list_object(env, pat, mod, path, each, arg) : 0;
}

static const char *uprobe_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const char *mod, *path;

	if (strcmp(pat->prov, "uprobe"))
		return NULL;
	if (!*pat->mod)
		return "name the program or library: uprobe:/bin/bash:readline, uprobe:libc:malloc";
	if (glob_is_pattern(pat->mod))
		return user_no_globs(env);
	mod = user_literal(env, pat->mod);
	if (!machine_is_here(env) && is_digits(mod))
		return user_no_process(env);
	path = path_of(env, mod);
	if (path)
		return user_advise(env, pat, path);
	return user_no_file(env, mod);
}

/* ---- programs and libraries of later ---------------------------------------------------- */

static struct dtx_probe *uprobe_late(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct user_where w = {
		.of = &provider_uprobe, .prov = "uprobe", .mod = pat->mod, .path = "",
		.pid = only_process(env),
	};

	return strcmp(pat->prov, "uprobe") || !*pat->mod || process_of(env, pat->mod) ?
	       NULL : user_late(env, pat, &w);
}

static int uprobe_list_later(struct dtx_env *env, const struct dtx_pattern *pat, s32 pid,
			     const struct proc_object *po, dtx_probe_fn *each, void *arg)
{
	if ((only_process(env) && env->target_pid != pid) || !user_is_file(env, pat->mod, po))
		return 0;
	return list_object(env, pat, glob_is_pattern(pat->mod) ? po->path : pat->mod, po->path,
			   each, arg);
}

/* ---- registers at the entry of a function ---------------------------------------------- */

/* An id and a name of its own: a clause may be on the entry as well. */
struct dtx_probe *uprobe_entry(struct dtx_env *env, const struct dtx_probe *p, u64 off)
{
	struct elfsyms *syms = user_symbols(env, p->place.target);
	const struct elfsym *f = syms ? elfsyms_at(syms, elfsyms_vaddr(syms, off)) : NULL;
	const struct user_where w = {
		.of = &provider_uprobe, .prov = p->prov, .mod = p->mod, .path = p->place.target,
		.pid = p->place.pid,
	};
	char place[24];
	struct dtx_probe *entry;

	snprintf(place, sizeof(place), "0x%llx", (unsigned long long)off);
	entry = user_probe(env, &w, place, "registers", off, false);
	entry->provider = p->provider;
	entry->func = entry->place.sym = f ? user_shown_name(env, f) : p->func;
	return entry;
}

const struct dtx_provider provider_uprobe = {
	.name = "uprobe",
	.doc = "functions of programs and libraries, by path or library name",
	.list = uprobe_list,
	.args = user_args,
	.named = user_named,
	.for_needs = user_for_needs,
	.entry = uprobe_entry,
	.attach = user_attach,
	.late = uprobe_late,
	.list_object = uprobe_list_later,
	.about = line_about,
	.missing = user_missing,
	.remark = user_remark,
	.advise = uprobe_advise,
};
