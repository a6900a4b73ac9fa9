/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serveflame.c - the flame graphs of the page: all rows of an aggregation, joined to a tree before
 * anything is left out.
 *
 * The tree stays from one request to the next, and so does the node of each row: a row costs its
 * names once, then an addition.  A page gets the FLAME_NODES widest nodes; the narrower ones are
 * joined, in each node, to one.  So the sum on the page is always that of the aggregation.
 */
#include <stdlib.h>

#include "runtime/sink/serve/serve.h"
#include "runtime/sink/stacks/stackset.h"

#define FLAME_NODES  20000       /* that a page gets */
#define FLAME_NAMES  100000000LL /* ns for the names of new rows, in one request */

struct flames {
	u32 n;
	struct flame_of {
		u32 generation;
		struct stackset *set;
		struct stacktree *tree;
		VEC(u32) leaf;           /* by id: the node, or 0 */
	} v[];
};

struct flames *flames_new(const struct run_info *run)
{
	struct flames *f = xcalloc(1, sizeof(*f) + run->img->naggs * sizeof(f->v[0]));

	f->n = run->img->naggs;
	return f;
}

static void flames_forget(struct flame_of *f)
{
	stackset_free(f->set);
	stacktree_free(f->tree);
	VEC_FREE(&f->leaf);
	f->set = NULL;
	f->tree = NULL;
}

void flames_free(struct flames *f)
{
	for (u32 i = 0; f && i < f->n; i++)
		flames_forget(&f->v[i]);
	free(f);
}

static struct flame_of *flames_of(struct flames *all, struct view *view, const struct run_info *run,
				  u32 agg)
{
	struct flame_of *f = &all->v[agg];
	u32 generation = view_agg(view, agg)->generation;

	if (f->set && f->generation != generation)
		flames_forget(f);
	if (!f->set) {
		f->set = stackset_new(run->env, run->img);
		f->tree = stacktree_new();
		f->generation = generation;
	}
	return f;
}

static u32 flames_leaf(struct flame_of *f, struct view *view, struct arena *a, u32 agg, u32 id)
{
	const struct val *keys = view_keys(view, a, agg, id);

	while (f->leaf.n <= id)
		VEC_PUSH(&f->leaf, 0);
	if (f->leaf.v[id] || !keys)
		return f->leaf.v[id];
	stackset_add(f->set, agg, keys, 1);
	f->leaf.v[id] = stacktree_leaf(f->tree, f->set, &f->set->rows.v[0], false);
	stackset_drop(f->set);
	return f->leaf.v[id];
}

/* Its rows, now or of a part of the time; n of them. */
static struct view_width *flames_widths(struct view *view, const struct flames_asked *q, u32 *n)
{
	const struct view_part *part = q->to ? view_part(view, q->agg, q->from, q->to) : NULL;
	struct view_width *rows;

	*n = part ? part->nrows : q->to ? 0 : view_agg(view, q->agg)->nrows;
	rows = xcalloc(*n + 1, sizeof(*rows));
	if (part)
		view_part_widths(view, q->agg, q->from, q->to, rows);
	else if (*n)
		view_widths(view, q->agg, rows);
	return rows;
}

/* The nodes of all rows, also of those that are no more: their past may be asked for. */
static void flames_leaves(struct flame_of *f, struct view *view, const struct flames_asked *q,
			  const u32 *nodes, const struct stacktree *t)
{
	u32 *place = stacktree_walk(t);

	for (u32 id = 0; id < view_ids(view, q->agg); id++)
		q->leaf[id] = id < f->leaf.n ? place[nodes[f->leaf.v[id]]] : 0;
	free(place);
}

/* For the choice of the widest, rows have what the past has of them, at least 1: a row that is no
 * more, or at 0, is wide in a part of the time. */
static void flames_weigh(struct flame_of *f, struct view *view, u32 agg)
{
	const struct view_part *part = view_part(view, agg, 0, INT64_MAX);
	u32 n = part ? part->nrows : 0;
	struct view_width *rows = xcalloc(n + 1, sizeof(*rows));
	u64 *past = xcalloc(f->tree->nodes.n, sizeof(*past));

	if (n)
		view_part_widths(view, agg, 0, INT64_MAX, rows);
	for (u32 i = 0; i < n; i++)
		if (rows[i].id < f->leaf.n)
			past[f->leaf.v[rows[i].id]] += MAX(rows[i].width, 1);
	for (u32 i = 1; i < f->tree->nodes.n; i++)
		f->tree->nodes.v[i].self = MAX(f->tree->nodes.v[i].self, past[i]);
	free(past);
	free(rows);
}

/* The tree that a page keeps: a node for each row that has a past, with its width of now.
 * nodes[i]: the node that has node i. */
static struct stacktree *flames_kept(struct flame_of *f, struct view *view, u32 agg, u32 *nodes)
{
	u32 n = f->tree->nodes.n;
	u64 *now = xcalloc(n, sizeof(*now));

	for (u32 i = 0; i < n; i++)
		now[i] = f->tree->nodes.v[i].self;
	flames_weigh(f, view, agg);
	struct stacktree *t = stacktree_cut(f->tree, FLAME_NODES, nodes);

	for (u32 i = 0; i < t->nodes.n; i++)
		t->nodes.v[i].self = 0;
	for (u32 i = 0; i < n; i++)
		t->nodes.v[nodes[i]].self += now[i];
	free(now);
	return t;
}

struct stacktree *flames_tree(struct flames *all, struct view *view, const struct run_info *run,
			      const struct flames_asked *q)
{
	struct flame_of *f = flames_of(all, view, run, q->agg);
	u32 n, later = 0, agg = q->agg, *nodes = NULL;
	struct view_width *rows = flames_widths(view, q, &n);
	struct arena *a = arena_new();
	s64 until = clock_ns(CLOCK_MONOTONIC) + FLAME_NAMES, rest = 0;
	bool whole = q->whole;

	for (u32 id = 0; q->leaf && id < view_ids(view, agg); id++) {
		flames_leaf(f, view, a, agg, id);
		if (arena_size(a) > 1 << 20)
			arena_clear(a);
	}
	for (u32 i = 0; i < f->tree->nodes.n; i++)
		f->tree->nodes.v[i].self = 0;
	for (u32 i = 0; i < n; i++) {
		bool known = rows[i].id < f->leaf.n && f->leaf.v[rows[i].id];

		if (rows[i].width <= 0)
			continue;
		if (!known && !whole && clock_ns(CLOCK_MONOTONIC) > until) {
			rest += rows[i].width;
			later++;
			continue;
		}
		u32 at = known ? f->leaf.v[rows[i].id]
			       : flames_leaf(f, view, a, agg, rows[i].id);
		f->tree->nodes.v[at].self += rows[i].width;
		if (arena_size(a) > 1 << 20)
			arena_clear(a);
	}
	if (q->leaf)
		nodes = xcalloc(f->tree->nodes.n, sizeof(*nodes));
	struct stacktree *t = nodes ? flames_kept(f, view, agg, nodes)
				    : stacktree_cut(f->tree, FLAME_NODES, NULL);
	if (later) {
		const char *name = arena_printf(a, "(%u stacks whose names are looked up)", later);
		u32 at = stacktree_step(t, 0, &(struct stack_name){ name, NULL, STACK_KEY });

		t->nodes.v[at].self += rest;
	}
	stacktree_finish(t);
	if (q->later)
		*q->later = later;
	if (q->leaf)
		flames_leaves(f, view, q, nodes, t);
	free(nodes);
	arena_free(a);
	free(rows);
	return t;
}

/* All rows one by one, for the formats that have them. */
struct stackset *flames_rows(struct view *view, const struct run_info *run, u32 agg)
{
	const struct view_agg *def = view_agg(view, agg);
	struct stackset *set = stackset_new(run->env, run->img);
	struct view_width *rows = xcalloc(def->nrows + 1, sizeof(*rows));
	struct arena *a = arena_new();

	if (stackset_takes(def->def))
		view_widths(view, agg, rows);
	for (u32 i = 0; stackset_takes(def->def) && i < def->nrows; i++) {
		const struct val *keys = view_keys(view, a, agg, rows[i].id);

		if (keys)
			stackset_add(set, agg, keys, rows[i].width);
		if (arena_size(a) > 1 << 20)
			arena_clear(a);
	}
	arena_free(a);
	free(rows);
	return set;
}
