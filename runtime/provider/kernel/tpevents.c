/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tpevents.c - the tracepoint events of tracefs with their ids, read once.
 *
 * For an event named exactly, one small file per possible group is read; the full list (two
 * thousand files) is read only if a pattern needs it, and is shared by tracepoint and rawtp.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/feat.h>
#include <dtx/kind.h>

#include "runtime/provider/attach.h"
#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"

static const char cache_key[] = "tpevents";     /* of prov_cache() */

struct cache {
	bool all;                /* every event is known */
	struct tp_id *ids;
	u32 n;
};

struct collect {
	struct dtx_env *env;
	const char *path;
	VEC(struct tp_id) ids;
};

/* Contents of events/GROUP/EVENT/id, 0: none. */
static u32 read_id(struct dtx_env *env, const char *tracefs, const char *group, const char *event)
{
	char path[512], *text;
	size_t len;
	u32 id;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", tracefs, group, event);
	if (machine_read(env, path, &text, &len))
		return 0;
	id = strtoul(text, NULL, 10);
	free(text);
	return id;
}

static int collect(void *arg, const char *group, const char *event)
{
	struct collect *c = arg;
	struct tp_id t;

	if (!strcmp(group, "ftrace"))            /* records of ftrace itself: nothing fires */
		return 0;
	t.id = read_id(c->env, c->path, group, event);
	if (!t.id)
		return 0;
	t.group = arena_strdup(c->env->arena, group);
	t.name = arena_strdup(c->env->arena, event);
	VEC_PUSH(&c->ids, t);
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct tp_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static struct cache *read_all(struct dtx_env *env, const char *path)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	struct collect col = { .env = env, .path = path };

	if (c->all)
		return c;
	tracefs_each(env, "", "", collect, &col);
	if (col.ids.n)
		qsort(col.ids.v, col.ids.n, sizeof(*col.ids.v), by_id);
	c->ids = arena_memdup(env->arena, col.ids.v, col.ids.n * sizeof(*col.ids.v));
	c->n = col.ids.n;
	c->all = true;
	VEC_FREE(&col.ids);
	return c;
}

void tpevents_outdated(struct dtx_env *env)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));

	c->all = false;
	tracefs_outdated(env);
}

/* Names are C identifiers: for "tick-1s" the events need not be read. */
static bool is_identifier(const char *name)
{
	return !name[name_span(name, "")];
}

struct named { struct collect *col; const char *group, *event; };

static int collect_named(void *arg, const char *group)
{
	struct named *n = arg;

	return glob_matches(n->group, group) ? collect(n->col, group, n->event) : 0;
}

/* The one event of this name in each group that matches. */
static void find_named(struct collect *col, const char *group, const char *event)
{
	struct named n = { col, group, event };

	if (!is_identifier(event))
		return;
	if (!glob_is_pattern(group)) {
		collect(col, group, event);
		return;
	}
	machine_each(col->env, arena_printf(col->env->arena, "%s/events", col->path),
		     collect_named, &n);
}

int tpevents_each(struct dtx_env *env, const char *group, const char *event,
		  int (*fn)(void *arg, const struct tp_id *), void *arg)
{
	struct collect col = { .env = env, .path = tracefs_path(env) };
	struct cache *c;
	int err = 0;

	if (!col.path)
		return 0;
	if (!glob_is_pattern(event)) {
		find_named(&col, group, event);
		for (u32 i = 0; !err && i < col.ids.n; i++)
			err = fn(arg, &col.ids.v[i]);
		VEC_FREE(&col.ids);
		return err;
	}
	c = read_all(env, col.path);
	for (u32 i = 0; !err && i < c->n; i++)
		if (glob_matches(group, c->ids[i].group) && glob_matches(event, c->ids[i].name))
			err = fn(arg, &c->ids[i]);
	return err;
}

/* The function __traceiter_EVENT is in the same BTF as the typedef, and identifies it. */
u32 tpevents_btf(struct dtx_env *env, const char *event, u32 *obj_id)
{
	struct btf_src *btf = btf_src_open(env);
	u32 id = btf ? btf_rawtp_id(btf, event, NULL, NULL) : 0;
	char iter[256];

	*obj_id = 0;
	if (!id)
		return 0;
	snprintf(iter, sizeof(iter), "__traceiter_%s", event);
	btf_func_id(btf, iter, NULL, obj_id);
	return id;
}

const char *tpevents_why(struct dtx_env *env, const struct dtx_probe *p, int err)
{
	const char *place = tracefs_dynamic(env, p->mod, p->name), *path;
	bool is_file = place && *place == '/';

	if (!place)
		return prov_why(err);
	path = arena_strndup(env->arena, place, strcspn(place, ":"));
	if (is_file && file_access(path, F_OK))
		return arena_printf(env->arena, "it was made with perf probe or tracefs for %s, "
				    "which is not there any more", path);
	return arena_printf(env->arena, "it was made with perf probe or tracefs, and the kernel "
			    "passes its record to no program: trace the place itself, %s%s",
			    is_file ? "by a uprobe: " : "", place);
}

/* ---- their programs -------------------------------------------------------------------- */

void tpevents_kind(struct dtx_probe *p, u32 btf_id, u32 btf_obj_id)
{
	p->prog.kind = btf_id ? PK_TP_BTF : PK_RAW_TP;
	p->prog.ident = IDENT_ONE;
	p->prog.btf_id = btf_id;
	p->prog.btf_obj_id = btf_id ? btf_obj_id : 0;
}

/* Only the untyped kind can have cookies, by which one program serves many events. */
void tpevents_kind_of(struct dtx_env *env, struct dtx_probe *p, bool many, u32 btf_id,
		      u32 btf_obj_id)
{
	bool shared = many && env_has(env, FEAT_RAWTP_COOKIE);

	tpevents_kind(p, !shared && env_has(env, FEAT_TP_BTF) ? btf_id : 0, btf_obj_id);
	if (shared)
		p->prog.ident = IDENT_COOKIE;
}

void tpevents_kind_record(struct dtx_env *env, struct dtx_probe *p)
{
	p->prog.kind = PK_TRACEPOINT;
	p->prog.ident = perf_ident(env);
}

int tpevents_link(const struct dtx_probe *p, int prog_fd, u64 cookie)
{
	return p->prog.kind == PK_TP_BTF ? sys_link_tracing(prog_fd, 0) :
				      sys_link_raw_tp(prog_fd, p->place.target, cookie);
}
