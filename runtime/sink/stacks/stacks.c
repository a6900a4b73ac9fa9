/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacks.c - option stacks: aggregations keyed by stacks as a file for flame graphs and profilers.
 * The file has what was shown last of each: the rows at the end, or those of the last printa().
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/sink/stacks/stackset.h"

struct stacks;

struct stacks_format {
	const char *name, *file;         /* used if none is given */
	void (*write)(struct out *, struct stacks *, struct buf *);
	bool compares;                   /* with the stacks of an earlier run (option diff) */
};

struct stacks {
	const struct stacks_format *format;
	struct outfile file;
	struct stackset *set;
	struct stacktree *tree;          /* option diff: it has the old values; else NULL */
	const char *groups;              /* option diff: NAMES:NAMES, or NULL */
	u32 rest;                        /* rows of neither group */
	s64 end;                         /* of the run, as run_info.time */
};

/* ---- formats ---------------------------------------------- */

static struct stacktree *stacks_tree(struct stacks *st, const u64 *scale)
{
	struct stacktree *t = st->tree ? st->tree : stacktree_new();

	st->tree = t;
	if (st->groups)
		st->rest = stacktree_compare(t, st->set, st->groups);
	else
		stacktree_add_set(t, st->set, scale);
	stacktree_finish(t);
	return t;
}

static void stacks_folded(struct out *o, struct stacks *st, struct buf *out)
{
	folded_write(stacks_tree(st, NULL), out);
}

static void stacks_pprof(struct out *o, struct stacks *st, struct buf *out)
{
	pprof_write(st->set, o->run, st->end, out);
}

/* Which of the aggregations with stacks is that of the first row? */
static u32 stacks_part(const struct out *o, const struct stacks *st)
{
	u32 part = 0;

	for (u32 i = 0; i < st->set->rows.v[0].agg; i++)
		part += stackset_takes(&o->run->img->aggs[i]);
	return part;
}

static void stacks_svg(struct out *o, struct stacks *st, struct buf *out)
{
	struct arena *a = arena_new();
	struct flame_words w = flame_words(a, o->run, UINT32_MAX, st->end,
						!st->tree && !st->groups);

	if (st->groups)
		w.about = arena_printf(a, "%s; %s", st->groups, w.about);
	else if (st->tree)
		w.about = arena_printf(a, "compared with %s; %s", opt_text(o->env, OPT_diff),
				       w.about);
	if (stackset_naggs(st->set) < 2 && w.nparts) {   /* only one of them has rows */
		w.unit = w.parts[st->set->rows.n ? stacks_part(o, st) : 0].unit;
		w.nparts = 0;
	}
	flame_write(stacks_tree(st, w.scale), &w, out);
	arena_free(a);
}

static const struct stacks_format formats[] = {
	{ "folded", "dtx.folded", stacks_folded, true },
	{ "pprof", "dtx.pb.gz", stacks_pprof, false },
	{ "svg", "dtx.svg", stacks_svg, true },
};

/* ---- begin ---------------------------------------------- */

static int stacks_choose(struct out *o, struct stacks *st)
{
	size_t len = strcspn(o->arg, "=");

	for (u32 i = 0; i < ARRAY_SIZE(formats); i++)
		if (strlen(formats[i].name) == len && !memcmp(formats[i].name, o->arg, len))
			st->format = &formats[i];
	if (!st->format)
		return dtx_env_fail(o->env, -EINVAL, "option stacks: '%.*s' is no format of "
				    "stacks; it is folded, pprof or svg, and may be followed by "
				    "=FILE", (int)len, o->arg);
	o->arg = o->arg[len] && o->arg[len + 1] ? o->arg + len + 1 : st->format->file;
	return 0;
}

/* Values of the first key can be compared where a stack is not the only one. */
static int stacks_compare_keys(struct out *o, struct stacks *st, const char *groups)
{
	const struct img *img = o->run->img;

	st->groups = groups;
	for (u32 i = 0; i < img->naggs; i++) {
		bool key = false;

		for (u32 k = 0; k < img->aggs[i].nkeys; k++)
			key |= img->aggs[i].keys[k].type != IMG_STACK;
		if (stackset_takes(&img->aggs[i]) && !key)
			return dtx_env_fail(o->env, -EINVAL, "option diff: there is no file %s, "
					    "and @%s has no key to compare by; for example: "
					    "@[hostname, stack()] = count()", groups,
					    img->aggs[i].name);
	}
	return 0;
}

static int stacks_compare(struct out *o, struct stacks *st)
{
	const struct opt_value *old = &o->env->opts->v[OPT_diff];
	u32 line = 0;

	if (!old->set || !old->s)
		return 0;
	if (!st->format->compares)
		return dtx_env_fail(o->env, -EINVAL, "option diff: a profile has no place for an "
				    "earlier run; go tool pprof -diff_base compares two of them");
	if (strchr(old->s, ':') && access(old->s, F_OK))
		return stacks_compare_keys(o, st, old->s);
	st->tree = stacktree_new();
	int err = folded_read_old(st->tree, old->s, &line);
	if (err == -EINVAL)
		return dtx_env_fail(o->env, err, "option diff: line %u of %s is no folded stack; "
				    "--stacks folded=FILE writes a file for it", line, old->s);
	return err ? dtx_env_fail(o->env, err, "option diff: cannot read %s: %s", old->s,
				  file_why(-err)) : 0;
}

static int stacks_check(struct out *o)
{
	const struct img *img = o->run->img;

	for (u32 i = 0; i < img->naggs; i++)
		if (stackset_takes(&img->aggs[i]))
			return 0;
	return dtx_env_fail(o->env, -EINVAL, "option stacks: no aggregation of the program has a "
			    "stack as key; for example: @[stack()] = count()");
}

static int stacks_begin(struct out *o, struct stacks *st)
{
	st->file.fd = -1;
	int err = stacks_choose(o, st);
	if (!err)
		err = stacks_check(o);
	if (!err)
		err = stacks_compare(o, st);
	if (err)
		return err;
	st->set = stackset_new(o->env, o->run->img);
	return outfile_open(&st->file, o, o->arg);
}

/* ---- values and end ---------------------------------------------- */

static void stacks_event(struct out *o, const struct event *ev)
{
	struct stacks *st = o->priv;

	for (u32 i = 0; i < ev->nitems; i++)
		if (ev->items[i].kind == ITEM_AGGS)
			stackset_put(st->set, ev->items[i].print);
}

static void stacks_aggs(struct out *o, const struct agg_print *p)
{
	stackset_put(((struct stacks *)o->priv)->set, p);
}

static bool stacks_take(const struct out *o, const struct img_agg *agg)
{
	return stackset_takes(agg);
}

static bool stacks_have(const struct stackset *s, const char *name, size_t len)
{
	for (u32 i = 0; i < s->rows.n; i++) {
		const char *key = stackset_key(s, &s->rows.v[i]);

		if (strlen(key) == len && !memcmp(key, name, len))
			return true;
	}
	return false;
}

/* A name that no row has: the other side would look as if all of it had grown or shrunk. */
static void stacks_missing(struct out *o, const struct stacks *st)
{
	for (const char *p = st->groups; *p; p += *p != '\0') {
		size_t len = strcspn(p, ",:");

		if (!stacks_have(st->set, p, len))
			diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_WARNING), "option diff: "
				  "no stack has '%.*s' as its first key: nothing of it is in %s",
				  (int)len, p, st->file.path);
		p += len;
	}
}

static void stacks_end(struct out *o, const struct run_end *end)
{
	struct stacks *st = o->priv;
	struct buf out = { 0 };

	buf_add(&out, "", 0);
	st->end = end->time;
	st->format->write(o, st, &out);
	outfile_put(&st->file, o, &out);
	buf_free(&out);
	outfile_close(&st->file, o);
	if (st->groups && !o->err)
		stacks_missing(o, st);
	if (o->err || env_is_quiet(o->env))
		return;
	diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "wrote %u stack%s to %s",
		  st->set->rows.n, st->set->rows.n == 1 ? "" : "s", st->file.path);
	if (st->rest)
		diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "%u stacks are of neither "
			  "side of %s and are not in %s", st->rest, st->groups, st->file.path);
	if (st->set->left_out)
		diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "%llu stacks have a "
			  "value of 0 or less and are not in %s",
			  (unsigned long long)st->set->left_out, st->file.path);
}

static void stacks_close(struct out *o)
{
	struct stacks *st = o->priv;

	if (!st)
		return;
	outfile_close(&st->file, o);
	stackset_free(st->set);
	stacktree_free(st->tree);
	free(st);
	o->priv = NULL;
}

static int stacks_open(struct out *o)
{
	o->priv = xcalloc(1, sizeof(struct stacks));
	int err = stacks_begin(o, o->priv);
	if (err)
		stacks_close(o);
	return err;
}

const struct dtx_sink sink_stacks = {
	.name = "stacks",
	.doc = "aggregations keyed by stacks: folded, pprof or a flame graph",
	.open = stacks_open,
	.event = stacks_event,
	.aggs = stacks_aggs,
	.takes = stacks_take,
	.end = stacks_end,
	.close = stacks_close,
};
