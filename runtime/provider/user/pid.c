/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c - functions of one process: pid123:OBJECT:FUNCTION:entry, :return or :OFFSET.
 *
 * OBJECT is the base name of a file the process has mapped, the beginning of one (libc), a.out
 * for its executable, or a pattern.  The target may load a library later: a library that is not
 * mapped yet is searched in LD_LIBRARY_PATH, beside the program and in the library folders of
 * the system.
 * Why: docs/decisions/22-pid-probes.md
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/tag.h>
#include <dtx/env.h>

#include "runtime/code/names.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"

struct object { const char *name, *path; };

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	s32 pid;
	VEC(struct object) objects;
};

/* The 123 of "pid123", or of a pattern like "p*123"; 0: another name. */
static s32 pid_of(const char *prov)
{
	size_t len = strlen(prov), digits = 0;
	char word[16];
	long pid;

	while (digits < len && prov[len - 1 - digits] >= '0' && prov[len - 1 - digits] <= '9')
		digits++;
	if (!digits || len - digits >= sizeof(word))
		return 0;
	snprintf(word, sizeof(word), "%.*s", (int)(len - digits), prov);
	if (!*word || !glob_matches(word, "pid"))
		return 0;
	pid = strtol(prov + len - digits, NULL, 10);
	return pid <= 0 || pid > INT32_MAX ? 0 : pid;
}

static void pid_add(struct listing *l, const char *name, const char *path)
{
	struct object o = { name, path };

	for (u32 i = 0; i < l->objects.n; i++)
		if (!strcmp(l->objects.v[i].path, path))
			return;
	VEC_PUSH(&l->objects, o);
}

/* Solaris's "LM0`libc.so.1": link maps are not distinguished here. */
static const char *without_map(const char *mod)
{
	size_t digits = !strncmp(mod, "LM", 2) ? strspn(mod + 2, "0123456789") : 0;

	return digits && mod[2 + digits] == '`' ? mod + 3 + digits : mod;
}

static int found(void *arg, s32 pid, const struct proc_object *o)
{
	struct listing *l = arg;

	if (process_object_named(o, without_map(l->pat->mod)))
		pid_add(l, o->name, o->path);
	return 0;
}

/* A library that the target may load later: searched where its linker searches, and beside the
 * program. */
static const char *find_later(struct listing *l, const char *mod)
{
	const char *dirs = getenv("LD_LIBRARY_PATH"), *exe = l->env->target_exe, *path = NULL;
	struct arena *a = l->env->arena;

	file_note_passing();
	for (const char *d = dirs ? dirs : ""; *d && !path; d += *d == ':') {
		size_t len = strcspn(d, ":");

		path = arena_printf(a, "%.*s/%s", (int)len, d, mod);
		path = len && !access(path, R_OK) ? path : NULL;
		d += len;
	}
	if (!path && exe) {
		path = arena_printf(a, "%.*s%s", (int)(path_base(exe) - exe), exe, mod);
		path = access(path, R_OK) ? NULL : path;
	}
	return path ? path : sym_library(a, mod);
}

static void find_objects(struct listing *l)
{
	const char *mod = without_map(l->pat->mod), *path;
	bool is_target = l->pid == l->env->target_pid;

	process_objects(l->env, l->pid, found, l);
	path = l->objects.n || !is_target || glob_is_pattern(mod) ? NULL : find_later(l, mod);
	if (path)
		pid_add(l, path_base(path), path);
}

static int pid_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		    void *arg)
{
	struct listing l = { .env = env, .pat = pat, .pid = pid_of(pat->prov) };
	const char *prov;
	int err = 0;

	if (!strcmp(pat->prov, "pid0"))
		return dtx_env_refuse(env, D_PROC_BADPID, "0 is not a process; $target is one with "
				      "-c or -p");
	if (!l.pid && !strncmp(pat->prov, "pid", 3) && is_digits(pat->prov + 3))
		return dtx_env_refuse(env, D_PROC_BADPID,
				      "'%s' is too large for the id of a process", pat->prov + 3);
	if (!l.pid || user_missing(env))
		return 0;
	if (!machine_is_here(env))
		return dtx_env_refuse(env, D_PROC_GRAB, "%s", user_no_process(env));
	if (!strcmp(pat->mod, "-"))
		return dtx_env_refuse(env, D_PROC_LIB, "'-' is not an object of a process; a.out "
						       "is its executable");
	if (!proc_exists(getpid()))
		return dtx_env_refuse(
			env, D_PROC_GRAB,
			"processes cannot be found without /proc: mount -t proc nodev /proc");
	if (!proc_exists(l.pid) && glob_is_pattern(pat->prov))
		return 0;
	if (!proc_exists(l.pid))
		return dtx_env_refuse(env, D_PROC_GRAB, "there is no process %d to look for "
				      "functions in; 'pgrep -l NAME' shows process ids", l.pid);
	find_objects(&l);
	prov = arena_printf(env->arena, "pid%d", l.pid);
	for (u32 i = 0; !err && i < l.objects.n; i++) {
		struct user_where w = {
			.of = &provider_pid, .of_pid = true, .prov = prov,
			.mod = l.objects.v[i].name, .path = l.objects.v[i].path, .pid = l.pid,
			.exact = !glob_is_pattern(pat->mod),
		};

		err = user_list(env, pat, &w, each, arg);
	}
	VEC_FREE(&l.objects);
	return err;
}

/* ---- libraries of later ---------------------------------------------------------------------- */

static struct dtx_probe *pid_late(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct user_where w = {
		.of = &provider_pid, .of_pid = true, .prov = pat->prov, .mod = pat->mod, .path = "",
		.pid = pid_of(pat->prov),
	};

	return w.pid && machine_is_here(env) && proc_exists(w.pid) ? user_late(env, pat, &w) : NULL;
}

static int pid_list_later(struct dtx_env *env, const struct dtx_pattern *pat, s32 pid,
			  const struct proc_object *po, dtx_probe_fn *each, void *arg)
{
	struct user_where w = {
		.of = &provider_pid, .of_pid = true, .prov = arena_printf(env->arena, "pid%d", pid),
		.mod = po->name, .path = po->path, .pid = pid,
	};

	if (pid != pid_of(pat->prov) || !process_object_named(po, without_map(pat->mod)))
		return 0;
	return user_list(env, pat, &w, each, arg);
}

static bool pid_mapped(void *arg, struct proc_map *m)
{
	(void)arg;
	(void)m;
	return false;
}

static const char *pid_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct listing l = { .env = env, .pat = pat, .pid = pid_of(pat->prov) };
	const char *why = NULL;

	if (!strcmp(pat->prov, "pid"))
		return "the provider name needs a process id: pid123, or pid$target with -c or -p";
	if (l.pid && !machine_is_here(env))
		return user_no_process(env);
	if (!l.pid || !proc_exists(l.pid))
		return NULL;
	find_objects(&l);
	if (!l.objects.n && !procmap_each(l.pid, pid_mapped, NULL))
		why = arena_printf(env->arena, "what process %d has mapped cannot be read: "
				   "/proc/%d/maps", l.pid, l.pid);
	else if (!l.objects.n && !*pat->mod)
		why = arena_printf(env->arena, "process %d has no program mapped: it is one of "
				   "the kernel, or ends", l.pid);
	else if (!l.objects.n)
		why = arena_printf(env->arena,
				   "process %d has no object '%s'; if it loads it later, "
				   "uprobe:PATH:FUNCTION works with the path of its file",
				   l.pid, pat->mod);
	for (u32 i = 0; i < l.objects.n && !why; i++)
		why = user_advise(env, pat, l.objects.v[i].path);
	VEC_FREE(&l.objects);
	return why;
}

static const char *pid_missing(struct dtx_env *env)
{
	return machine_is_here(env) ? user_missing(env) : user_no_process(env);
}

const struct dtx_provider provider_pid = {
	.name = "pid",
	.doc = "functions of one process: pid123, pid$target",
	.list = pid_list,
	.args = user_args,
	.named = user_named,
	.for_needs = user_for_needs,
	.entry = uprobe_entry,
	.attach = user_attach,
	.late = pid_late,
	.list_object = pid_list_later,
	.about = line_about,
	.missing = pid_missing,
	.remark = user_remark,
	.advise = pid_advise,
};
