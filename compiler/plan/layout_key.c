/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout_key.c - key tuples of aggregations and arrays; the maps of aggregations.
 * Why: docs/decisions/09-string-bounds.md
 *      docs/decisions/12-cpu-in-key.md
 */
#include <linux/bpf.h>

#include <dtx/aggs.h>
#include <dtx/tables/maprole.h>

#include "compiler/plan/plan.h"

/* ---- keys ------------------------------------------------------------------------ */

/* Widest string seen at each key position, over all uses of a symbol. */
static bool walk_keys(struct node *n, void *arg)
{
	struct comp *c = arg;
	struct node *k = n->list;

	if ((n->kind != N_AGG && n->kind != N_ASSOC) || !n->sym)
		return true;
	if (!n->sym->first)
		n->sym->first = n;
	for (u32 i = 0; k && i < n->sym->nkeys; i++, k = k->next) {
		struct type *have = type_base(n->sym->keys[i]), *use = type_base(k->type);
		u32 size;

		if (have->kind != T_STRING)
			continue;
		size = use && use->kind == T_STRING ? layout_string(c, use)
						    : c->plan->strsize + 1;
		n->sym->key_off[i] = MAX(n->sym->key_off[i], size);
	}
	return true;
}

void layout_key_strings(struct comp *c)
{
	for (struct sym *s = c->syms; s; s = s->next)
		if (s->nkeys)
			s->key_off = ARENA_ARRAY(c->arena, u32, s->nkeys);
	for (struct inst *i = c->insts; i; i = i->next)
		clause_walk(i->pred, i->body, walk_keys, c);
}

/* A gap in the tuple for the CPU number: the key does not grow; 0: none yet. */
static void key_gap(struct sym *s, u32 from, u32 to)
{
	if (s->cpu_size || ALIGN_UP(from, DTX_AGG_CPU_BYTES) + DTX_AGG_CPU_BYTES > to)
		return;
	s->cpu_off = ALIGN_UP(from, DTX_AGG_CPU_BYTES);
	s->cpu_size = DTX_AGG_CPU_BYTES;
}

/* The last byte of a string is always NUL: with few CPUs, the number fits there. */
static void key_string_end(struct comp *c, struct sym *s)
{
	for (u32 i = 0; i < s->nkeys && !s->cpu_size && c->env->ncpus <= DTX_AGG_FEW_CPUS; i++) {
		const struct type *t = type_base(s->keys[i]);

		if (t->kind == T_STRING) {
			s->cpu_off = s->key_off[i] + t->size - 1;
			s->cpu_size = 1;
		}
	}
}

/* The keys have the names that the first statement gives them. */
static void label_keys(struct comp *c, const struct sym *s, struct img_field *fields)
{
	const struct node *k = s->first ? s->first->list : NULL;

	for (u32 i = 0; i < s->nkeys && k; i++, k = k->next) {
		fields[i].name = label_of(c, k);
		label_unique(c, fields, i);
		fields[i].unit = unit_of(k);
	}
}

/* Key tuple of an aggregation or array: parts in order, zero-padded to 8 at the end.
 * The `first` bytes are the hidden thread id of self->x[]. */
void layout_keys(struct comp *c, struct sym *s, u32 first, struct img_field *fields)
{
	u32 off = first;

	for (u32 i = 0; i < s->nkeys; i++) {
		struct type *t = type_base(s->keys[i]);
		u32 size = layout_size(c, t), end = off;

		if (t->kind == T_STRING) {
			size = ALIGN_UP(MAX(s->key_off[i], 1u), 8);
			s->keys[i] = type_string_of(c->arena, size);
		}
		s->key_off[i] = layout_at(&off, size, layout_align(t));
		key_gap(s, end, s->key_off[i]);
		if (fields) {
			layout_field(c, s->keys[i], true, &fields[i]);
			fields[i].size = size;
			fields[i].off = s->key_off[i];
		}
	}
	if (fields)
		label_keys(c, s, fields);
	s->key_size = ALIGN_UP(off, 8);
	key_gap(s, off, s->key_size);
	key_string_end(c, s);
	key_gap(s, s->key_size, s->key_size + 8);
	c->plan->key_size = MAX(c->plan->key_size, s->key_size);
}

/* Few sizes, hence few shelves: a program may name 64 maps. */
u32 layout_shelf_room(u32 bytes)
{
	u32 room = 16;

	while (room < bytes)
		room *= 4;
	return room;
}

/*
 * The shelf, a map of maps, for a map of this role.  All its maps have the same sizes, as the
 * kernel demands, and a slot each.
 */
void layout_shelve(struct comp *c, const char *map)
{
	struct img_map *m = img_map_named(c->img, map);
	const char *name = arena_printf(c->img->arena, "dtx_shelf_%s_%u_%u", maprole_words[m->role],
					m->key_size, m->val_size);
	u32 slot = 0;

	for (u32 i = 0; i < c->img->nmaps; i++)
		slot += c->img->maps[i].shelf && !strcmp(c->img->maps[i].shelf, name);
	m->shelf = name;
	m->slot = slot;
	layout_add_map(c, name, ROLE_shelf);
}

static void agg_map(struct comp *c, const struct img_agg *a, const char *name, u32 role)
{
	struct img_map *m = layout_add_map(c, name, role);

	m->key_size = img_agg_map_key(a);
	m->val_size = a->val_room;
}

/* Stacks have no end of new ones: rows that have them are taken out while the program runs. */
static bool has_stacks(const struct img_agg *a)
{
	u32 i = 0;

	while (i < a->nkeys && a->keys[i].type != IMG_STACK)
		i++;
	return i < a->nkeys;
}

static void layout_agg(struct comp *c, struct sym *s)
{
	struct img_agg *a = &c->img->aggs[s->index];
	struct arena *mem = c->img->arena;
	struct img_map *m;

	a->name = arena_strdup(c->img->arena, s->name);
	a->func = s->agg->name;
	a->map = s->map = arena_printf(c->img->arena, "dtx_agg_%u", s->index);
	a->keyed = s->nkeys > 0;
	a->nkeys = s->nkeys;
	a->keys = ARENA_ARRAY(c->img->arena, struct img_field, s->nkeys);
	a->val_size = (agg_words(s->agg, s->params_v) + !a->keyed) * sizeof(u64);
	a->nparams = s->nparams_v;
	memcpy(a->params, s->params_v, sizeof(a->params));
	a->val_room = a->keyed ? a->val_size : ALIGN_UP(a->val_size, DTX_SLOT_ALIGN);
	if (a->keyed)
		layout_keys(c, s, 0, a->keys);
	a->arg = s->first && s->first->b ? label_of(c, s->first->b) : NULL;
	a->unit = s->first && s->first->b ? unit_of(s->first->b) : NULL;
	a->each = s->each;
	a->key_size = a->keyed ? s->key_size : 4;
	a->cpu_off = s->cpu_off;
	a->cpu_size = s->cpu_size;
	if (s->shelved) {
		a->key_size = a->keyed ? layout_shelf_room(img_agg_map_key(a)) : a->key_size;
		a->val_room = layout_shelf_room(a->val_room);
	}
	s->size = a->val_room;
	c->plan->key_size = MAX(c->plan->key_size, img_agg_map_key(a));
	m = layout_add_map(c, a->map, a->keyed ? ROLE_agg : ROLE_aggslots);
	m->key_size = img_agg_map_key(a);
	m->val_size = a->val_room;
	m->max_entries = a->keyed ? 0 : 1;
	if (a->keyed)
		agg_map(c, a, img_agg_reserve(mem, a), ROLE_aggreserve);
	s->turns = !s->shelved && has_stacks(a);
	if (s->turns) {
		agg_map(c, a, img_agg_turn(mem, a, false), ROLE_agg);
		agg_map(c, a, img_agg_turn(mem, a, true), ROLE_aggreserve);
	}
	if (!s->shelved)
		return;
	layout_shelve(c, a->map);
	if (a->keyed)
		layout_shelve(c, img_agg_reserve(c->img->arena, a));
}

void layout_aggs(struct comp *c)
{
	u32 n = 0;

	for (struct sym *s = c->syms; s; s = s->next)
		if (s->kind == SYM_AGG && s->agg)
			s->index = n++;
	c->img->naggs = n;
	c->img->aggs = ARENA_ARRAY(c->img->arena, struct img_agg, n);
	for (struct sym *s = c->syms; s; s = s->next)
		if (s->kind == SYM_AGG && s->agg)
			layout_agg(c, s);
}
