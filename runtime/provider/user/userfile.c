/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userfile.c - the files of programs, and their probes: what all that lists probes of programs is
 * made of.
 */
#include <linux/capability.h>
#include <stdlib.h>

#include <dtx/feat.h>
#include <dtx/kind.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"
#include "runtime/kernel/kernel.h"

static const char cache_key[] = "user";     /* of prov_cache() */

struct cache {
	struct map *ids;                 /* "prov:mod:func:name" -> id, in order of discovery */
	struct map *globals;             /* user_globals() */
	struct user_ends_cache ends;
	struct map *idle;                /* files that the process of -p does not use: were told */
};

static int drop_jumps(const char *path, void *value, void *arg)
{
	struct user_jumps *j = value;

	free(j->bits);
	free(j);
	return 0;
}

static void user_cache_free(struct dtx_env *env)
{
	struct cache *c = prov_kept(env, cache_key);

	if (!c)
		return;
	code_ways_free(&c->ends.ways);
	map_free(c->ends.chosen);
	map_each(c->ends.jumps, drop_jumps, NULL);
	map_free(c->ends.jumps);
	keytab_free(c->ends.others);
	buf_free(&c->ends.asked);
	map_free(c->ids);
	map_free(c->globals);
	map_free(c->idle);
}

static struct cache *user_cache(struct dtx_env *env)
{
	struct cache *c = prov_cache_heap(env, cache_key, sizeof(*c), user_cache_free);

	if (!c->ids) {
		c->ids = map_new();
		c->globals = map_new();
		c->ends.chosen = map_new();
		c->ends.jumps = map_new();
		c->idle = map_new();
	}
	return c;
}

struct map *user_idle(struct dtx_env *env)
{
	return user_cache(env)->idle;
}

struct map *user_globals(struct dtx_env *env)
{
	return user_cache(env)->globals;
}

struct codefile *user_code(struct dtx_env *env, const char *path)
{
	struct codefile *f = codefile_at(env, path);

	codefile_pin(f);
	return f;
}

struct elfsyms *user_symbols(struct dtx_env *env, const char *path)
{
	return codefile_symbols(user_code(env, path));
}

struct user_ends_cache *user_ends_cache(struct dtx_env *env)
{
	return &user_cache(env)->ends;
}

static u32 user_id(struct dtx_env *env, const struct user_where *w, const char *func,
		   const char *name)
{
	struct cache *c = user_cache(env);
	char *key = xprintf("%s:%s:%s:%s", w->prov, w->path, func, name);
	uintptr_t id = (uintptr_t)map_get(c->ids, key);

	if (!id) {
		id = prov_base(w->of) + map_count(c->ids);
		map_set(c->ids, key, (void *)id);
	}
	free(key);
	return id;
}

struct dtx_probe *user_probe(struct dtx_env *env, const struct user_where *w, const char *func,
			     const char *name, u64 off, bool ret)
{
	bool multi = env_has(env, FEAT_UPROBE_MULTI);
	struct dtx_probe *p;

	p = prov_probe(env, w->of, (struct probe_name){
		user_id(env, w, func, name), w->prov, w->mod,
		arena_strdup(prov_arena(env), func), arena_strdup(prov_arena(env), name)
	});
	p->place.target = w->path;
	p->place.sym = p->func;
	p->place.off = off;
	p->place.pid = w->pid;
	p->place.user_ctx = true;
	if (multi)
		p->prog.kind = ret ? PK_URETPROBE_MULTI : PK_UPROBE_MULTI;
	else
		p->prog.kind = ret ? PK_URETPROBE : PK_UPROBE;
	p->prog.ident = multi ? IDENT_COOKIE : perf_ident(env);
	return p;
}

const char *user_never(struct dtx_env *env)
{
	if (env_has(env, FEAT_UPROBE) || env_has(env, FEAT_UPROBE_MULTI))
		return NULL;
	if (!env_has(env, FEAT_BPF))
		return "probes of user functions need root, or CAP_BPF and CAP_PERFMON: uprobe, "
		       "uretprobe and pid are not available";
	if (!env_has_cap(CAP_SYS_ADMIN))
		return "kernels before 6.6 ask for CAP_SYS_ADMIN, or for root, for probes of user "
		       "functions: uprobe, uretprobe and pid are not available";
	return "this kernel has no uprobes (CONFIG_UPROBES): uprobe, uretprobe and pid are not "
	       "available here";
}
