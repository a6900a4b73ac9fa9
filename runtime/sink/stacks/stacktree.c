/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacktree.c - stacks joined to a tree: what begins alike is one node.  Names are merged by their
 * text, so that runs of different processes, and of another day, can be compared.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/sink/stacks/stackset.h"

struct stacktree *stacktree_new(void)
{
	struct stacktree *t = xcalloc(1, sizeof(*t));

	t->arena = arena_new();
	t->name_of = map_new();
	t->node_of = keytab_new(2 * sizeof(u32), sizeof(u32));
	VEC_PUSH(&t->names, ((struct stack_name){ .text = "", .kind = STACK_KEY }));
	VEC_PUSH(&t->nodes, ((struct stack_node){ 0 }));
	return t;
}

void stacktree_free(struct stacktree *t)
{
	if (!t)
		return;
	map_free(t->name_of);
	keytab_free(t->node_of);
	VEC_FREE(&t->names);
	VEC_FREE(&t->nodes);
	VEC_FREE(&t->name_of_func);
	arena_free(t->arena);
	free(t);
}

static u32 tree_name(struct stacktree *t, const struct stack_name *name)
{
	size_t at = (size_t)map_get(t->name_of, name->text);
	struct stack_name to = { .kind = name->kind };

	if (at)
		return at - 1;
	to.text = arena_strdup(t->arena, name->text);
	to.object = name->object ? arena_strdup(t->arena, name->object) : NULL;
	to.file = name->file ? arena_strdup(t->arena, name->file) : NULL;
	VEC_PUSH(&t->names, to);
	map_add(t->name_of, name->text, (void *)(size_t)t->names.n);
	return t->names.n - 1;
}

static u32 tree_child(struct stacktree *t, u32 parent, u32 name)
{
	u32 key[2] = { parent, name };
	u32 *at = keytab_put(t->node_of, key);

	if (!*at) {
		*at = t->nodes.n;
		VEC_PUSH(&t->nodes, ((struct stack_node){ .parent = parent, .name = name }));
	}
	return *at;
}

u32 stacktree_step(struct stacktree *t, u32 parent, const struct stack_name *name)
{
	return tree_child(t, parent, tree_name(t, name));
}

/* The names of the set's functions, as numbers of names here; those that came since are added. */
static const u32 *tree_names(struct stacktree *t, const struct stackset *s)
{
	if (t->set != s)
		t->name_of_func.n = 0;
	t->set = s;
	for (u32 i = t->name_of_func.n; i < s->funcs.n; i++) {
		const struct stack_func *f = &s->funcs.v[i];
		u32 name = tree_name(t, &(struct stack_name){ f->name, f->object, f->kind,
								   f->file });

		VEC_PUSH(&t->name_of_func, name);
	}
	return t->name_of_func.v;
}

u32 stacktree_leaf(struct stacktree *t, const struct stackset *s, const struct stack_row *r,
		   bool several)
{
	const u32 *names = tree_names(t, s);
	u32 at = 0;

	if (several) {
		char *name = xprintf("@%s", s->img->aggs[r->agg].name);

		at = stacktree_step(t, 0, &(struct stack_name){ name, NULL, STACK_KEY });
		free(name);
	}
	for (u32 k = 0; k < r->nkeys + r->n; k++)
		at = tree_child(t, at, names[s->locs.v[s->locs_of.v[r->first + k]].func]);
	if (!at)                         /* the stack is empty: no format has a row of no names */
		at = stacktree_step(t, 0, &(struct stack_name){ "(no stack)", NULL, STACK_KEY });
	return at;
}

static u64 tree_scaled(u64 value, u64 by)
{
	return __builtin_mul_overflow(value, by, &value) ? INT64_MAX : value;
}

void stacktree_add_set(struct stacktree *t, const struct stackset *s, const u64 *scale)
{
	bool several = stackset_naggs(s) > 1;

	for (u32 i = 0; i < s->rows.n; i++) {
		const struct stack_row *row = &s->rows.v[i];
		u32 at = stacktree_leaf(t, s, row, several);

		t->nodes.v[at].self += tree_scaled(row->value, scale ? scale[row->agg] : 1);
	}
}

/* Is it one of the names between commas? */
static bool names_have(const char *names, size_t len, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = names; p <= names + len; p += strcspn(p, ",:") + 1)
		if (strcspn(p, ",:") == n && !memcmp(p, name, n))
			return true;
	return false;
}

u32 stacktree_compare(struct stacktree *t, const struct stackset *s, const char *groups)
{
	bool several = stackset_naggs(s) > 1;
	size_t old = strcspn(groups, ":");
	u32 rest = 0;

	t->has_old = true;
	for (u32 i = 0; i < s->rows.n; i++) {
		struct stack_row row = s->rows.v[i];
		const char *key = stackset_key(s, &row);
		bool is_old = names_have(groups, old, key);
		const char *now = groups[old] ? groups + old + 1 : "";

		if (!is_old && !names_have(now, strlen(now), key)) {
			rest++;
			continue;
		}
		row.first++;             /* both are the same rows without it */
		row.nkeys--;
		u32 at = stacktree_leaf(t, s, &row, several);

		*(is_old ? &t->nodes.v[at].old_self : &t->nodes.v[at].self) += (u64)row.value;
	}
	return rest;
}

/* ---- order and sums ---------------------------------------------- */

static int tree_by_name(const void *pa, const void *pb, void *arg)
{
	const struct stacktree *t = arg;
	const struct stack_node *a = &t->nodes.v[*(const u32 *)pa];
	const struct stack_node *b = &t->nodes.v[*(const u32 *)pb];
	int d = strcmp(t->names.v[a->name].text, t->names.v[b->name].text);

	return d ? d : a->name < b->name ? -1 : a->name > b->name;
}

/* A child has a larger number than its parent. */
static void tree_sum(struct stacktree *t)
{
	for (u32 i = 0; i < t->nodes.n; i++) {
		t->nodes.v[i].total = t->nodes.v[i].self;
		t->nodes.v[i].old_total = t->nodes.v[i].old_self;
	}
	for (u32 i = t->nodes.n; i-- > 1; ) {
		struct stack_node *up = &t->nodes.v[t->nodes.v[i].parent];

		up->total += t->nodes.v[i].total;
		up->old_total += t->nodes.v[i].old_total;
	}
}

void stacktree_finish(struct stacktree *t)
{
	u32 n = t->nodes.n, *order = xmalloc(n * sizeof(*order));

	for (u32 i = 0; i < n; i++)
		order[i] = i;
	tree_sum(t);
	qsort_r(order + 1, n - 1, sizeof(*order), tree_by_name, t);
	for (u32 i = n; i-- > 1; ) {     /* the last one is put in front first */
		struct stack_node *node = &t->nodes.v[order[i]];
		struct stack_node *up = &t->nodes.v[node->parent];

		node->next = up->child;
		up->child = order[i];
	}
	free(order);
}

/* ---- the widest ---------------------------------------------- */

static u32 tree_wider(const struct stacktree *t, u64 least)
{
	u32 n = 0;

	for (u32 i = 0; i < t->nodes.n; i++)
		n += t->nodes.v[i].total >= least;
	return n;
}

/* The smallest width of which at most `most` nodes are; all with 1 are. */
static u64 tree_least(const struct stacktree *t, u32 most)
{
	u64 low = 1, high = t->nodes.v[0].total + 1;

	while (low < high) {
		u64 mid = low + (high - low) / 2;

		if (tree_wider(t, mid) <= most)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

struct stacktree *stacktree_cut(struct stacktree *t, u32 most, u32 *nodes)
{
	struct stacktree *to = stacktree_new();
	u32 *at = xcalloc(t->nodes.n, sizeof(*at));      /* the node there */
	struct rest { u64 width; u32 n, node; } *rest = xcalloc(t->nodes.n, sizeof(*rest));

	tree_sum(t);
	u64 least = tree_least(t, most);
	for (u32 i = 1; i < t->nodes.n; i++) {
		const struct stack_node *node = &t->nodes.v[i];

		if (node->total >= least) {
			at[i] = stacktree_step(to, at[node->parent], &t->names.v[node->name]);
			to->nodes.v[at[i]].self = node->self;
		} else if (t->nodes.v[node->parent].total >= least || !node->parent) {
			rest[node->parent].width += node->total;
			rest[node->parent].n += node->total > 0;
		}
	}
	to->nodes.v[0].self = t->nodes.v[0].self;
	for (u32 i = 0; i < t->nodes.n; i++) {
		char name[48];

		if (!rest[i].width)
			continue;
		snprintf(name, sizeof(name), "(%u narrower)", rest[i].n);
		u32 joined = stacktree_step(to, at[i], &(struct stack_name){ name, NULL,
									     STACK_KEY });
		to->nodes.v[joined].self += rest[i].width;
		rest[i].node = joined;
	}
	for (u32 i = 1; nodes && i < t->nodes.n; i++) {
		u32 parent = t->nodes.v[i].parent;

		nodes[i] = t->nodes.v[i].total >= least ? at[i] : nodes[parent];
		if (nodes[i] == at[parent] && t->nodes.v[i].total < least && rest[parent].width)
			nodes[i] = rest[parent].node;
	}
	free(rest);
	free(at);
	return to;
}

u32 *stacktree_walk(const struct stacktree *t)
{
	u32 *place = xcalloc(t->nodes.n, sizeof(*place)), n = 0;

	for (u32 at = 0;;) {
		place[at] = n++;
		if (t->nodes.v[at].child) {
			at = t->nodes.v[at].child;
			continue;
		}
		while (at && !t->nodes.v[at].next)
			at = t->nodes.v[at].parent;
		if (!at)
			return place;
		at = t->nodes.v[at].next;
	}
}
