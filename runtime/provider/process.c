/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.c - the files whose code a process runs, for the providers of user functions.
 *
 * A path may name another file in the process than in dtx (a container): such files are
 * opened through /proc/PID/root.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/provider/providers.h"

struct walk {
	struct dtx_env *env;
	s32 pid;
	const char *root;                /* prefix of paths: "" or /proc/PID/root */
	struct map *seen;                /* "dev:inode" */
	proc_object_fn *fn;
	void *arg;
	const char *exe;                 /* path of its executable, NULL: not known */
	bool exe_known;                  /* the executable was reported */
	int err;                         /* of fn */
};

bool process_exists(s32 pid)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !file_access(path, F_OK);
}

const char *path_base(const char *path)
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

const char *process_exe(struct dtx_env *env, s32 pid)
{
	const char *path = read_link(env, pid, "exe");

	return path ? arena_printf(env->arena, "%s%s", root_of(env, pid), path) : NULL;
}

struct file_id file_identity(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return (struct file_id){ 0 };
	return (struct file_id){ st.st_dev, st.st_ino,
				 st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec };
}

bool file_id_same(const struct file_id *a, const struct file_id *b)
{
	return a->dev == b->dev && a->ino == b->ino && a->changed == b->changed;
}

bool process_object(struct dtx_env *env, s32 pid, const char *path, struct proc_object *o)
{
	const char *exe = read_link(env, pid, "exe");

	o->path = arena_printf(env->arena, "%s%s", root_of(env, pid), path);
	o->name = path_base(o->path);
	o->is_exe = exe && !strcmp(path, exe);
	return !file_access(o->path, R_OK);
}

bool process_object_named(const struct proc_object *o, const char *mod)
{
	if (glob_matches(mod, o->name) || (o->is_exe && glob_matches(mod, "a.out")))
		return true;
	return !glob_is_pattern(mod) && object_fits(o->name, mod);
}

static bool mapping(void *arg, struct proc_map *m)
{
	struct walk *w = arg;
	struct proc_object o;
	char id[64];

	if (!m->code || *m->path != '/')
		return true;
	snprintf(id, sizeof(id), "%x:%x:%llu", m->major, m->minor, (unsigned long long)m->inode);
	if (map_get(w->seen, id))
		return true;
	map_set(w->seen, id, w);
	o.is_exe = w->exe && !strcmp(m->path, w->exe);
	if (o.is_exe && w->exe_known)
		return true;
	o.path = arena_printf(w->env->arena, "%s%s", w->root, m->path);
	o.name = path_base(o.path);
	w->err = w->fn(w->arg, w->pid, &o);
	return !w->err;
}

static int walk(struct walk *w, bool exe_first)
{
	struct proc_object o = { .is_exe = true };

	w->err = 0;
	w->exe = read_link(w->env, w->pid, "exe");
	if (w->exe && exe_first) {
		o.path = arena_printf(w->env->arena, "%s%s", w->root, w->exe);
		o.name = path_base(o.path);
		w->exe_known = true;
		w->err = w->fn(w->arg, w->pid, &o);
	}
	if (!w->err)
		procmap_each(w->pid, mapping, w);
	return w->err;
}

int process_objects(struct dtx_env *env, s32 pid, proc_object_fn *fn, void *arg)
{
	struct walk w = { .env = env, .pid = pid, .fn = fn, .arg = arg, .seen = map_new() };
	int err;

	w.root = root_of(env, pid);
	err = walk(&w, true);
	map_free(w.seen);
	return err;
}

/* What all processes had mapped when it was first asked for: in the arena of the environment. */
struct seen_object {
	struct seen_object *next;
	struct proc_object o;
	s32 pid;
};

struct cache {
	struct seen_object *first, **last;       /* last: NULL: they were not looked for */
};

int process_all_objects(struct dtx_env *env, proc_object_fn *fn, void *arg)
{
	struct walk w = { .env = env, .fn = fn, .arg = arg, .seen = map_new() };
	DIR *dir = opendir("/proc");
	struct dirent *e;
	int err = 0;

	while (dir && !err && (e = readdir(dir))) {
		if (!isdigit((unsigned char)*e->d_name))
			continue;
		w.pid = atoi(e->d_name);
		w.root = root_of(env, w.pid);
		err = walk(&w, false);
	}
	if (dir)
		closedir(dir);
	map_free(w.seen);
	return err;
}

static int keep(void *arg, s32 pid, const struct proc_object *o)
{
	struct dtx_env *env = arg;
	struct cache *c = env->prov_cache[PROV_pid];
	struct seen_object *s = ARENA_NEW(env->arena, struct seen_object);

	s->pid = pid;
	s->o = *o;
	*c->last = s;
	c->last = &s->next;
	return 0;
}

int process_seen_objects(struct dtx_env *env, proc_object_fn *fn, void *arg)
{
	struct cache *c = prov_cache(env, PROV_pid, sizeof(*c));
	int err = 0;

	if (!c->last) {
		c->last = &c->first;
		process_all_objects(env, keep, env);
	}
	for (const struct seen_object *s = c->first; s && !err; s = s->next)
		err = fn(arg, s->pid, &s->o);
	return err;
}

void provider_look_anew(struct dtx_env *env)
{
	env->prov_cache[PROV_pid] = NULL;
}
