/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merged.c - the rows of several hosts in one table: equal keys are one row, whose values are
 * merged as those of CPUs are (the column `merge` of aggs.def).
 */
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"

/* ---- rows ------------------------------------------------------------------------------- */

struct merged {
	struct keyset *keys;
	bool own;
	const struct img_agg **aggs;
	const struct agg_ops **ops;
	u32 *at;                 /* where the words of each begin in a row */
	s64 *norm;               /* 0: none yet */
	bool *mixed;
	u32 naggs, stride;
	u32 n, cap;              /* rows: those of the keys */
	u64 *data;
	u8 *has;                 /* n * naggs: does it have the key? */
};

struct merged *merged_new(struct texts *texts, struct keyset *keys,
			  const struct img_agg *const *aggs, u32 naggs)
{
	struct merged *t = xcalloc(1, sizeof(*t));

	t->own = !keys;
	t->keys = keys ? keys : keyset_new(texts, aggs[0]);
	t->naggs = naggs;
	t->aggs = xcalloc(naggs, sizeof(*t->aggs));
	t->ops = xcalloc(naggs, sizeof(*t->ops));
	t->at = xcalloc(naggs, sizeof(*t->at));
	t->norm = xcalloc(naggs, sizeof(*t->norm));
	t->mixed = xcalloc(naggs, sizeof(*t->mixed));
	for (u32 i = 0; i < naggs; i++) {
		t->aggs[i] = aggs[i];
		t->ops[i] = agg_ops(aggs[i]->func);
		t->at[i] = t->stride;
		t->stride += agg_data_words(aggs[i]);
	}
	return t;
}

void merged_free(struct merged *t)
{
	if (!t)
		return;
	if (t->own)
		keyset_free(t->keys);
	free(t->aggs);
	free(t->ops);
	free(t->at);
	free(t->norm);
	free(t->mixed);
	free(t->data);
	free(t->has);
	free(t);
}

size_t merged_bytes(const struct merged *t)
{
	return (size_t)t->n * (t->stride * sizeof(u64) + t->naggs);
}

static void merged_room(struct merged *t, u32 n)
{
	size_t was = t->n;

	if (n <= t->n)
		return;
	if (n > t->cap) {
		t->cap = MAX(64u, MAX(n, t->cap + t->cap / 2));
		t->data = xrealloc(t->data, (size_t)t->cap * t->stride * sizeof(u64));
		t->has = xrealloc(t->has, (size_t)t->cap * t->naggs);
	}
	memset(t->data + was * t->stride, 0, (n - was) * t->stride * sizeof(u64));
	memset(t->has + was * t->naggs, 0, (n - was) * t->naggs);
	t->n = n;
}

static const u64 *row_words(const struct merged *t, u32 key, u32 i)
{
	return t->data + (size_t)key * t->stride + t->at[i];
}

void merged_norm(struct merged *t, u32 i, s64 norm)
{
	if (t->norm[i] && t->norm[i] != norm)
		t->mixed[i] = true;
	t->norm[i] = norm;
}

void merged_add(struct merged *t, u32 key, u32 i, const u64 *words)
{
	merged_room(t, key + 1);
	t->has[(size_t)key * t->naggs + i] = 1;
	t->ops[i]->merge->add(t->aggs[i], t->data + (size_t)key * t->stride + t->at[i], words);
}

void merged_add_rows(struct merged *t, const struct agg_print *p)
{
	for (u32 r = 0; r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);
		u32 key = keyset_put(t->keys, row->keys);

		for (u32 i = 0; i < t->naggs; i++) {
			if (row[i].none)
				continue;
			merged_norm(t, i, row[i].norm);
			merged_add(t, key, i, row[i].data);
		}
	}
}

void merged_add_one(struct merged *t, struct merged *from, u32 i)
{
	struct arena *a = arena_new();

	if (from->norm[i])
		merged_norm(t, i, from->norm[i]);
	t->mixed[i] |= from->mixed[i];
	for (u32 r = 0; r < from->n; r++) {
		u32 key = r;

		if (!from->has[(size_t)r * t->naggs + i])
			continue;
		if (t->keys != from->keys)
			key = keyset_put(t->keys, keyset_read(from->keys, a, r));
		merged_add(t, key, i, row_words(from, r, i));
		arena_clear(a);
	}
	arena_free(a);
}

void merged_add_merged(struct merged *t, struct merged *from)
{
	for (u32 i = 0; i < t->naggs; i++)
		merged_add_one(t, from, i);
}

const struct img_agg *merged_mixed(const struct merged *t)
{
	for (u32 i = 0; i < t->naggs; i++)
		if (t->mixed[i])
			return t->aggs[i];
	return NULL;
}

/* ---- order: the agg* options, as in runtime/value/aggorder.c ------------------------------ */

struct rank {
	s128 value;
	s64 zero;
};

struct order {
	const struct merged *t;
	struct arena *a;         /* of keys that are compared */
	bool by_key, reverse;
	u32 key_first, first;
	const struct rank *ranks;        /* naggs for each key */
};

static int compare_stacks(const struct val *a, const struct val *b)
{
	int d = 0;

	for (u32 i = 0; !d && i < a->nframes && i < b->nframes; i++)
		d = strcmp(a->frames[i].text, b->frames[i].text);
	return d ? d : a->nframes < b->nframes ? -1 : a->nframes > b->nframes;
}

/* Integers as unsigned numbers of their size, texts by their bytes. */
static int compare_field(const struct val *a, const struct val *b)
{
	u64 mask = a->size < 8 ? (1ull << 8 * a->size) - 1 : ~0ull;
	int d;

	switch (a->kind) {
	case VAL_INT:
		return (a->u & mask) < (b->u & mask) ? -1 : (a->u & mask) > (b->u & mask);
	case VAL_STACK:
		return compare_stacks(a, b);
	case VAL_SYM:
		return strcmp(a->text, b->text);
	default:
		d = memcmp(a->p, b->p, MIN(a->len, b->len));
		return d ? d : a->len < b->len ? -1 : a->len > b->len;
	}
}

static int compare_keys(const struct order *o, u32 x, u32 y)
{
	u32 n = o->t->aggs[0]->nkeys;
	const struct val *a, *b;
	int d = 0;

	arena_clear(o->a);
	a = keyset_read(o->t->keys, o->a, x);
	b = keyset_read(o->t->keys, o->a, y);
	for (u32 k = 0; k < n && !d; k++)
		d = compare_field(&a[(k + o->key_first) % n], &b[(k + o->key_first) % n]);
	return d;
}

static int compare_values(const struct order *o, u32 x, u32 y)
{
	u32 n = o->t->naggs;
	const struct rank *a = o->ranks + (size_t)x * n, *b = o->ranks + (size_t)y * n;

	for (u32 i = 0; i < n; i++) {
		u32 k = (i + o->first) % n;

		if (a[k].value != b[k].value)
			return a[k].value < b[k].value ? -1 : 1;
		if (a[k].zero != b[k].zero)
			return a[k].zero < b[k].zero ? -1 : 1;
	}
	return 0;
}

static int compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct order *o = arg;
	u32 x = *(const u32 *)pa, y = *(const u32 *)pb;
	int d = o->by_key ? compare_keys(o, x, y) : compare_values(o, x, y);

	if (!d)
		d = o->by_key ? compare_values(o, x, y) : compare_keys(o, x, y);
	return o->reverse ? -d : d;
}

/* What a key that it does not have prints as. */
static u64 *words_of_none(const struct merged *t, struct arena *a, u32 i)
{
	u64 *words = ARENA_ARRAY(a, u64, agg_data_words(t->aggs[i]) + 1);

	words[0] = t->ops[i]->value->none;
	return words;
}

static struct rank *make_ranks(const struct merged *t, const u64 *const *none)
{
	struct rank *ranks = xcalloc((size_t)t->n * t->naggs + 1, sizeof(*ranks));

	for (u32 r = 0; r < t->n; r++)
		for (u32 i = 0; i < t->naggs; i++) {
			struct rank *to = &ranks[(size_t)r * t->naggs + i];
			bool has = t->has[(size_t)r * t->naggs + i];
			const u64 *words = has ? row_words(t, r, i) : none[i];

			if (t->ops[i]->value->hist)
				hist_order(t->aggs[i], words, &to->value, &to->zero);
			else
				to->value = t->ops[i]->value->number(t->aggs[i], words, 1);
		}
	return ranks;
}

static void sort_rows(const struct merged *t, const struct agg_opts *opts, const u64 *const *none,
		      u32 *rows, u32 n)
{
	struct rank *ranks = make_ranks(t, none);
	struct order o = {
		.t = t, .a = arena_new(), .ranks = ranks, .by_key = opts->by_key,
		.reverse = opts->reverse,
		.key_first = opts->key_first < t->aggs[0]->nkeys ? opts->key_first : 0,
		.first = opts->first < t->naggs ? opts->first : 0,
	};

	qsort_r(rows, n, sizeof(*rows), compare_rows, &o);
	arena_free(o.a);
	free(ranks);
}

/* ---- printing --------------------------------------------------------------------------- */

struct agg_rows {
	const struct merged *t;
	const u32 *key;          /* of each row */
	const u64 **none;        /* for each aggregation */
	struct arena *decoded;
	u32 at;                  /* the row made last + 1 */
	struct agg_row row[];
};

static const struct agg_row *merged_row(const struct agg_print *p, u32 at)
{
	struct agg_rows *rs = p->rows;
	const struct merged *t = rs->t;
	u32 key = rs->key[at];

	if (rs->at == at + 1)
		return rs->row;
	arena_clear(rs->decoded);
	struct val *keys = keyset_read(t->keys, rs->decoded, key);

	for (u32 i = 0; i < t->naggs; i++) {
		bool has = t->has[(size_t)key * t->naggs + i];

		rs->row[i] = (struct agg_row){
			.keys = keys, .data = has ? row_words(t, key, i) : rs->none[i],
			.norm = t->norm[i] && !t->mixed[i] ? t->norm[i] : 1, .none = !has,
		};
	}
	rs->at = at + 1;
	return rs->row;
}

static u32 rows_there(const struct merged *t, u32 *rows)
{
	u32 n = 0;

	for (u32 r = 0; r < t->n; r++)
		if (memchr(t->has + (size_t)r * t->naggs, 1, t->naggs))
			rows[n++] = r;
	return n;
}

void merged_print(struct merged *t, struct arena *a, const struct agg_opts *opts,
		  struct agg_print *out)
{
	u32 *rows = ARENA_ARRAY(a, u32, t->n + 1), n = rows_there(t, rows);
	struct agg_rows *rs = arena_alloc(a, sizeof(*rs) + t->naggs * sizeof(rs->row[0]));

	*rs = (struct agg_rows){ .t = t, .key = rows, .decoded = arena_within(a),
				 .none = ARENA_ARRAY(a, const u64 *, t->naggs) };
	for (u32 i = 0; i < t->naggs; i++)
		rs->none[i] = words_of_none(t, a, i);
	if (opts)
		sort_rows(t, opts, rs->none, rows, n);
	*out = (struct agg_print){ .aggs = t->aggs, .naggs = t->naggs, .nrows = n, .rows = rs,
				   .fetch = merged_row };
	if (opts && opts->top)
		merged_cut(out, opts->top, opts->reverse);
}

void merged_cut(struct agg_print *p, u32 n, bool reverse)
{
	if (n >= p->nrows)
		return;
	p->rows->key += reverse ? 0 : p->nrows - n;
	p->rows->at = 0;
	p->nrows = n;
}
