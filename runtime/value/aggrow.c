/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggrow.c - from the entries of snapshots to rows: joins several aggregations on their keys
 * (DTrace guide "Aggregations"); aggorder.c has the order.
 *
 * Rows are made on request, because a decoded key needs ten times the memory of a key here.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/load/load.h"
#include "runtime/value/value.h"

/* ---- join ------------------------------------------------------------------------ */

/* An entry that prints as zero, for a key that only another aggregation has. */
static struct agg_entry *agg_none(const struct agg_state *st, struct arena *a, const u8 *key)
{
	struct agg_entry *e = ARENA_NEW(a, struct agg_entry);

	*e = agg_entry_new(st, a, key);
	for (u32 b = 0; b < st->blocks; b++)
		e->data[b * st->words] = st->ops->value->none;
	return e;
}

/* All ranks, row by row: n per row. */
static struct agg_rank *agg_join(struct agg_state **st, const struct agg_order *o,
				 struct arena *a, u32 *nrows)
{
	const struct img_agg *def = o->def;
	u32 n = o->n;
	struct keytab *t = keytab_new(def->keyed ? def->key_size : 8, n * sizeof(void *));
	struct agg_rank *ranks;

	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < st[i]->e.n; k++) {
			struct agg_entry **row = keytab_put(t, st[i]->e.v[k].key);

			row[i] = &st[i]->e.v[k];
		}
	*nrows = keytab_count(t);
	ranks = ARENA_ARRAY(a, struct agg_rank, (size_t)*nrows * n);
	for (u32 r = 0; r < *nrows; r++) {
		struct agg_entry **row = keytab_val(t, r), *any = NULL;

		for (u32 i = 0; i < n && !any; i++)
			any = row[i];
		for (u32 i = 0; i < n; i++) {
			ranks[r * n + i] = agg_rank(st[i], o, row[i] ? row[i] :
						    agg_none(st[i], a, any->key));
			ranks[r * n + i].none = !row[i];
		}
	}
	keytab_free(t);
	return ranks;
}

static struct agg_rank *agg_single(struct agg_state *st, const struct agg_order *o,
				   struct arena *a, u32 *nrows)
{
	struct agg_rank *ranks = ARENA_ARRAY(a, struct agg_rank, st->e.n);

	*nrows = st->e.n;
	for (u32 i = 0; i < st->e.n; i++)
		ranks[i] = agg_rank(st, o, &st->e.v[i]);
	return ranks;
}

/* ---- rows ------------------------------------------------------------------------ */

/* Rows are made from this, one at a time. */
struct agg_rows {
	const struct agg_keys *keys;
	struct agg_state **st;
	const struct img_agg *first;     /* layout of the keys of the first aggregation */
	const struct agg_rank *ranks;    /* n per row; NULL: */
	const u32 *packed;               /* the numbers of packed rows of st[0] */
	u8 *read;                        /* the key of the one that was read */
	u32 n;
	struct arena *decoded;           /* keys, of this row and of some before it */
	u32 at;                          /* the last row made + 1; 0: none */
	agg_before_fn *before;           /* agg_print_before(), or NULL */
	void *before_arg;
	struct agg_row row[];            /* n */
};

#define ROWS_DECODED  (64u << 10)        /* bytes of decoded keys before the arena is cleared */

static struct val *keys_read(const struct agg_keys *keys, struct arena *a,
			     const struct img_agg *def, const u8 *key)
{
	struct val *v = ARENA_ARRAY(a, struct val, MAX(def->nkeys, 1u));
	struct decode_from from = { key, def->key_size, true };

	for (u32 k = 0; k < def->nkeys; k++)
		if (!decode_field(keys->ld, a, &def->keys[k], &from, &v[k]))
			v[k] = (struct val){ .kind = VAL_STR, .p = "", .null = true };
	return v;
}

const struct val *agg_keys_read(const struct agg_keys *keys, struct arena *a,
				const struct img_agg *def, const u8 *raw)
{
	return keys_read(keys, a, def, raw);
}

static void agg_order_init(struct agg_order *o, const struct options *opts,
			   const struct img_agg *def, u32 n)
{
	s64 keypos = opts->v[OPT_aggsortkeypos].n, pos = opts->v[OPT_aggsortpos].n;

	o->def = def;
	o->by_key = opts->v[OPT_aggsortkey].n;
	o->reverse = opts->v[OPT_aggsortrev].n;
	o->key_first = keypos > 0 && keypos < def->nkeys ? keypos : 0;
	o->n = n;
	o->first = pos > 0 && pos < n ? pos : 0;
}

static const u8 *row_key(const struct agg_rows *rs, u32 row)
{
	if (!rs->packed)
		return rs->ranks[(size_t)row * rs->n].key;
	agg_packed_row(rs->st[0], rs->packed[row], rs->read);
	return rs->read;
}

const struct agg_row *agg_print_row(const struct agg_print *p, u32 row)
{
	if (p->fetch)
		return p->fetch(p, row);
	struct agg_rows *rs = p->rows;
	const struct agg_rank *r = rs->packed ? NULL : rs->ranks + (size_t)row * rs->n;
	const u8 *key;
	struct val *keys;

	if (rs->at == row + 1)
		return rs->row;
	if (rs->before)
		rs->before(rs->before_arg, p, row);
	key = row_key(rs, row);
	if (arena_size(rs->decoded) > ROWS_DECODED)
		arena_clear(rs->decoded);
	keys = keys_read(rs->keys, rs->decoded, p->aggs[0], key);
	if (rs->first != p->aggs[0])
		agg_narrow_keys(rs->first, keys);
	for (u32 i = 0; i < rs->n; i++) {
		struct agg_row *to = &rs->row[i];

		to->keys = keys;
		to->data = agg_data(rs->st[i], rs->packed ? key : r[i].key);
		to->percpu = rs->st[i]->blocks > 1 ? to->data + rs->st[i]->words : NULL;
		to->none = !rs->packed && r[i].none;
	}
	rs->at = row + 1;
	return rs->row;
}

void agg_print_before(const struct agg_print *p, agg_before_fn *fn, void *arg)
{
	if (p->fetch)
		return;
	p->rows->before = fn;
	p->rows->before_arg = arg;
}

const u8 *agg_print_raw(const struct agg_print *p, u32 row, const u64 **data, s64 *norm)
{
	const struct agg_rank *r;

	*data = NULL;
	if (p->fetch || p->rows->packed)
		return NULL;
	r = p->rows->ranks + (size_t)row * p->rows->n;
	*data = agg_data(p->rows->st[0], r->key);
	*norm = p->rows->row[0].norm;
	return r->key;
}

u32 agg_print_changes(const struct agg_print *p, u32 *resets)
{
	*resets = p->fetch ? 0 : p->rows->st[0]->resets;
	return p->fetch ? 0 : p->rows->st[0]->cleared;
}

const struct agg_keys *agg_print_keys(const struct agg_print *p)
{
	return p->fetch ? NULL : p->rows->keys;
}

void agg_print_cut(struct agg_print *p, u32 skip, u32 n, u64 div)
{
	struct agg_rows *rs = p->rows;

	if (rs->packed)
		rs->packed += skip;
	else
		rs->ranks += (size_t)skip * rs->n;
	rs->at = 0;
	p->nrows = n;
	for (u32 i = 0; div && i < rs->n; i++)
		rs->row[i].norm *= div;
}

static struct agg_rows *agg_rows_new(struct aggs *as, struct arena *a, struct agg_state **st,
				     const struct img_agg *first, const struct agg_rank *ranks,
				     u32 n)
{
	struct agg_rows *rs = arena_alloc(a, sizeof(*rs) + n * sizeof(rs->row[0]));

	*rs = (struct agg_rows){ .keys = agg_keys_of(as), .st = st, .first = first,
				 .ranks = ranks, .n = n, .decoded = arena_within(a) };
	for (u32 i = 0; i < n; i++)
		rs->row[i].norm = st[i]->norm;
	return rs;
}

/* The option aggtop: the rows that are the last ones in ascending order. */
static void agg_top(const struct aggs *as, struct agg_print *p, const struct options *opts)
{
	u32 n = aggs_are_whole(as) ? 0 : MIN((u64)opts->v[OPT_aggtop].n, p->nrows);

	if (n)
		agg_print_cut(p, opts->v[OPT_aggsortrev].n ? 0 : p->nrows - n, n, 0);
}

void agg_rows_of(struct aggs *as, struct arena *a, u32 agg, struct agg_state *from,
		 struct agg_print *out)
{
	struct agg_state **st = ARENA_ARRAY(a, struct agg_state *, 1);
	const struct img_agg **defs = ARENA_ARRAY(a, const struct img_agg *, 1);
	struct agg_rank *ranks;

	st[0] = agg_folded(as, a, from);
	defs[0] = st[0]->def;
	ranks = ARENA_ARRAY(a, struct agg_rank, MAX(st[0]->e.n, 1u));
	for (u32 i = 0; i < st[0]->e.n; i++)
		ranks[i].key = st[0]->e.v[i].key;
	*out = (struct agg_print){ .aggs = defs, .naggs = 1, .nrows = st[0]->e.n,
				   .ncpus = agg_ncpus(as) };
	out->rows = agg_rows_new(as, a, st, agg_state(as, agg)->def, ranks, 1);
}

static void packed_rows(struct aggs *as, struct arena *a, struct agg_state **st,
			const struct agg_order *o, struct agg_print *out)
{
	out->nrows = agg_packed_rows(st[0]);
	out->rows = agg_rows_new(as, a, st, st[0]->def, NULL, 1);
	out->rows->packed = agg_packed_order(st[0], o, a, out->nrows);
	out->rows->read = arena_alloc(a, agg_row_bytes(st[0]));
}

/* Without the entries that have had no value since aggs_anew(). */
static struct agg_state *since_anew(struct agg_state *st, struct arena *a)
{
	struct agg_state *now;

	if (!st->anew)
		return st;
	agg_unpack(st);
	now = arena_memdup(a, st, sizeof(*st));
	now->e.v = ARENA_ARRAY(a, struct agg_entry, MAX(st->e.n, 1u));
	now->e.n = 0;
	for (u32 i = 0; i < st->e.n; i++)
		if (!agg_is_idle(st, &st->e.v[i]))
			now->e.v[now->e.n++] = st->e.v[i];
	return now;
}

int aggs_rows(struct aggs *as, struct arena *a, const u32 *agg, u32 n, struct agg_print *out)
{
	struct agg_state **st = ARENA_ARRAY(a, struct agg_state *, n + 1);
	const struct img_agg **defs = ARENA_ARRAY(a, const struct img_agg *, n + 1);
	struct agg_rank *ranks;
	struct agg_order o;

	memset(out, 0, sizeof(*out));
	for (u32 i = 0; i < n; i++) {
		st[i] = agg_state(as, agg[i]);
		if (!st[i] || st[i]->def->keyed != st[0]->def->keyed)
			return -EINVAL;
		if (n > 1)
			agg_unpack(st[i]);
		st[i] = agg_folded(as, a, since_anew(st[i], a));
	}
	if (!n || agg_same_layout(as, a, st, n))
		return -EINVAL;
	u32 *resets = ARENA_ARRAY(a, u32, n + 1);

	for (u32 i = 0; i < n; i++) {
		defs[i] = st[i]->def;
		resets[i] = st[i]->resets;
	}
	out->resets = resets;
	out->aggs = defs;
	out->naggs = n;
	out->ncpus = agg_ncpus(as);
	agg_order_init(&o, agg_loaded(as)->env->opts, defs[0], n);
	if (st[0]->packed) {
		packed_rows(as, a, st, &o, out);
		agg_top(as, out, agg_loaded(as)->env->opts);
		return 0;
	}
	ranks = n == 1 ? agg_single(st[0], &o, a, &out->nrows) : agg_join(st, &o, a, &out->nrows);
	qsort_r(ranks, out->nrows, n * sizeof(*ranks), agg_rank_compare, &o);
	out->rows = agg_rows_new(as, a, st, agg_state(as, agg[0])->def, ranks, n);
	agg_top(as, out, agg_loaded(as)->env->opts);
	return 0;
}
