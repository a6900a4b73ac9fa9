/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.c - the files whose code a process runs, for the providers of user functions: as
 * runtime/proc/procfile.c finds them, so a file of a container, or one that was replaced since, is
 * that which the process runs.
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/env.h>

#include "runtime/code/names.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"

static const char cache_key[] = "process";     /* of prov_cache() */

struct walk {
	struct dtx_env *env;
	s32 pid;
	struct map *seen;                /* "dev:inode" */
	struct map *served;              /* all processes: does a program answer for "dev"? */
	proc_object_fn *fn;
	void *arg;
	struct proc_file exe;            /* its executable; path NULL: not known, or only `told` */
	bool exe_known;                  /* the executable was reported */
	int err;                         /* of fn */
};

const char *process_exe(struct dtx_env *env, s32 pid)
{
	struct proc_file f;

	return proc_file_exe(env->arena, pid, &f) ? f.path : NULL;
}

bool process_object(struct dtx_env *env, s32 pid, const char *path, struct proc_object *o)
{
	struct proc_file exe;
	bool known = proc_file_exe(env->arena, pid, &exe), mapped;

	*o = (struct proc_object){ .path = proc_file_named(env->arena, pid, path, &mapped) };
	o->name = path_base(path);
	o->is_exe = known && !strcmp(path, exe.told);
	return o->path;
}

bool process_object_named(const struct proc_object *o, const char *mod)
{
	if (glob_matches(mod, o->name) || (o->is_exe && glob_matches(mod, "a.out")))
		return true;
	return !glob_is_pattern(mod) && object_fits(o->name, mod);
}

static struct proc_object object_of(const struct proc_file *f, bool is_exe)
{
	return (struct proc_object){ path_base(f->told), f->path, is_exe };
}

/* A program that answers for its files may keep dtx waiting for ever: where nobody has named a
 * process, its files are left out. */
static bool is_left_out(struct walk *w, const struct proc_map *m)
{
	static bool yes = true, no;
	char device[24];
	const bool *is;

	if (!w->served)
		return false;
	snprintf(device, sizeof(device), "%x:%x", m->major, m->minor);
	is = map_get(w->served, device);
	if (!is) {
		is = proc_is_served((u32)w->pid, m->major, m->minor) ? &yes : &no;
		map_set(w->served, device, (void *)is);
	}
	return *is;
}

static bool is_executable(const struct walk *w, const struct proc_file *f)
{
	if (w->served || !f->id.ino)
		return w->exe.told && !strcmp(f->told, w->exe.told);
	return w->exe.path && f->id.ino == w->exe.id.ino && f->id.dev == w->exe.id.dev;
}

static bool mapping(void *arg, struct proc_map *m)
{
	struct walk *w = arg;
	struct proc_object o;
	struct proc_file f;
	char id[64];
	bool is_exe;

	if (!m->code || *m->path != '/')
		return true;
	snprintf(id, sizeof(id), "%x:%x:%llu", m->major, m->minor, (unsigned long long)m->inode);
	if (map_get(w->seen, id))
		return true;
	map_set(w->seen, id, w);
	if (is_left_out(w, m))
		return true;
	proc_file_mapped(w->env->arena, w->pid, m, &f);
	is_exe = is_executable(w, &f);
	if (is_exe && w->exe_known)
		return true;
	o = object_of(&f, is_exe);
	w->err = w->fn(w->arg, w->pid, &o);
	return !w->err;
}

static int walk(struct walk *w, bool exe_first)
{
	struct proc_object o;

	w->err = 0;
	w->exe = (struct proc_file){ 0 };
	if (w->served)
		w->exe.told = proc_exe_told(w->env->arena, w->pid);
	else if (!proc_file_exe(w->env->arena, w->pid, &w->exe))
		w->exe.path = NULL;
	if (w->exe.path && exe_first) {
		o = object_of(&w->exe, true);
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

	err = walk(&w, true);
	map_free(w.seen);
	return err;
}

struct best {
	const char *name, *path;
	int fits;                        /* object_fits() */
};

static int consider_best(void *arg, s32 pid, const struct proc_object *o)
{
	struct best *b = arg;
	int fits = object_fits(o->name, b->name);

	if (fits > b->fits) {
		b->fits = fits;
		b->path = o->path;
	}
	return 0;
}

const char *process_path(struct dtx_env *env, s32 pid, const char *name, const char *known)
{
	struct best b = { .name = name };
	struct file_id its, other;

	process_objects(env, pid, consider_best, &b);
	if (!b.path || !known)
		return b.path;
	its = file_identity(b.path);
	other = file_identity(known);
	return file_id_same(&its, &other) ? NULL : b.path;
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

static bool walk_one(void *arg, u32 pid)
{
	struct walk *w = arg;

	w->pid = (s32)pid;
	return !walk(w, false);
}

int process_all_objects(struct dtx_env *env, proc_object_fn *fn, void *arg)
{
	struct walk w = { .env = env, .fn = fn, .arg = arg, .seen = map_new(),
			  .served = map_new() };

	proc_each(walk_one, &w);
	map_free(w.seen);
	map_free(w.served);
	return w.err;
}

static int keep_object(void *arg, s32 pid, const struct proc_object *o)
{
	struct dtx_env *env = arg;
	struct cache *c = prov_kept(env, cache_key);
	struct seen_object *s = ARENA_NEW(env->arena, struct seen_object);

	s->pid = pid;
	s->o = *o;
	*c->last = s;
	c->last = &s->next;
	return 0;
}

int process_seen_objects(struct dtx_env *env, proc_object_fn *fn, void *arg)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	int err = 0;

	if (!c->last) {
		c->last = &c->first;
		process_all_objects(env, keep_object, env);
	}
	for (const struct seen_object *s = c->first; s && !err; s = s->next)
		err = fn(arg, s->pid, &s->o);
	return err;
}

void provider_look_anew(struct dtx_env *env)
{
	prov_forget(env, cache_key);
}
