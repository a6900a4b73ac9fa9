/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid.c - functions of one process: pid123:OBJECT:FUNCTION:entry, :return or :OFFSET.
 *
 * OBJECT is the base name of a file the process has mapped, the beginning of one (libc), a.out
 * for its executable, or a pattern.  A process that has not run yet (-c) has mapped nothing but
 * itself: a library it will load is then found by name.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime.h"

struct object { const char *name, *path; };

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	s32 pid;
	const char *root;                /* prefix of paths seen from another mount namespace */
	VEC(struct object) objects;
};

/* "pid123" to 123, 0: another name. */
static s32 pid_of(const char *prov)
{
	char *end;
	long pid;

	if (strncmp(prov, "pid", 3) || prov[3] < '0' || prov[3] > '9')
		return 0;
	pid = strtol(prov + 3, &end, 10);
	return *end || pid <= 0 || pid > INT32_MAX ? 0 : pid;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *read_link(struct dtx_env *env, s32 pid, const char *what)
{
	char path[64], to[4096];
	ssize_t len;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, what);
	else
		snprintf(path, sizeof(path), "/proc/self/%s", what);
	len = readlink(path, to, sizeof(to) - 1);
	return len < 0 ? NULL : arena_strndup(env->arena, to, len);
}

static const char *root_of(struct dtx_env *env, s32 pid)
{
	const char *mine = read_link(env, 0, "ns/mnt"), *its = read_link(env, pid, "ns/mnt");

	if (!mine || !its || !strcmp(mine, its))
		return "";
	return arena_printf(env->arena, "/proc/%d/root", pid);
}

static void add(struct listing *l, const char *name, const char *path)
{
	struct object o = { name, path };

	for (u32 i = 0; i < l->objects.n; i++)
		if (!strcmp(l->objects.v[i].path, path))
			return;
	VEC_PUSH(&l->objects, o);
}

static const char *executable(struct listing *l)
{
	const char *exe;

	if (l->pid == l->env->target_pid && l->env->target_exe)
		return l->env->target_exe;
	exe = read_link(l->env, l->pid, "exe");
	return exe ? arena_printf(l->env->arena, "%s%s", l->root, exe) : NULL;
}

/* An object named without metacharacters. */
static void find_named(struct listing *l)
{
	struct dtx_env *env = l->env;
	const char *mod = l->pat->mod, *exe = executable(l), *path;

	if (exe && (!strcmp(mod, "a.out") || !strcmp(mod, base_name(exe)))) {
		add(l, base_name(exe), exe);
		return;
	}
	path = usyms_object(usyms_get(env), env->arena, l->pid, mod);
	if (!path && l->pid == env->target_pid)
		path = sym_library(env->arena, mod);
	if (path)
		add(l, base_name(path), path);
}

/* Executable mappings of files: the path is the sixth field of a line. */
static void find_mapped(struct listing *l)
{
	char *text, *line, *save, *path;
	const char *exe = executable(l);
	size_t len;

	if (exe && (glob_match(l->pat->mod, base_name(exe)) || glob_match(l->pat->mod, "a.out")))
		add(l, base_name(exe), exe);
	path = xprintf("/proc/%d/maps", l->pid);
	len = file_read(path, &text, &len) ? 0 : len;
	free(path);
	if (!len)
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char perms[8] = "";

		path = strchr(line, '/');
		if (!path || sscanf(line, "%*s %7s", perms) != 1 || perms[2] != 'x' ||
		    !glob_match(l->pat->mod, base_name(path)))
			continue;
		path = arena_printf(l->env->arena, "%s%s", l->root, path);
		add(l, base_name(path), path);
	}
	free(text);
}

static int list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each, void *arg)
{
	struct listing l = { .env = env, .pat = pat, .pid = pid_of(pat->prov) };
	int err = 0;

	if (!l.pid || user_missing(env))
		return 0;
	if (!read_link(env, l.pid, "exe"))
		return dtx_env_fail(env, -ESRCH, "there is no process %d to look for functions in; "
				    "'pgrep -l NAME' shows process ids", l.pid);
	l.root = root_of(env, l.pid);
	if (glob_is_pattern(pat->mod))
		find_mapped(&l);
	else
		find_named(&l);
	for (u32 i = 0; !err && i < l.objects.n; i++) {
		struct user_where w = {
			.slot = PROV_pid, .prov = pat->prov, .mod = l.objects.v[i].name,
			.path = l.objects.v[i].path, .pid = l.pid,
		};

		err = user_list(env, pat, &w, each, arg);
	}
	VEC_FREE(&l.objects);
	return err;
}

const struct dtx_provider provider_pid = {
	.name = "pid",
	.doc = "functions of one process: pid123, pid$target",
	.list = list,
	.args = user_args,
	.attach = user_attach,
	.missing = user_missing,
};
