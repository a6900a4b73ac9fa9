/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggorder.c - the order of entries, by value or key.
 *
 * Values, and the first eight bytes of keys, are compared as numbers computed once per entry:
 * sorting a million keys reads little else.
 */
#include <stdlib.h>

#include "runtime/value/value.h"

static u64 key_int(const u8 *p, u32 size)
{
	u64 v = 0;

	memcpy(&v, p, MIN(size, 8u));
	return v;
}

u64 agg_key_lead(const struct agg_order *o, const u8 *key)
{
	const struct img_field *f = &o->def->keys[o->key_first];
	u64 lead;

	if (!o->def->nkeys)
		return 0;
	lead = key_int(key + f->off, f->size);
	return f->type == IMG_INT && f->size <= 8 ? lead : __builtin_bswap64(lead);
}

int agg_key_compare(const struct agg_order *o, const u8 *a, const u8 *b)
{
	u32 n = o->def->nkeys;

	for (u32 k = 0; k < n; k++) {
		const struct img_field *f = &o->def->keys[(k + o->key_first) % n];
		int d;

		if (f->type == IMG_INT && f->size <= 8) {
			u64 x = key_int(a + f->off, f->size), y = key_int(b + f->off, f->size);

			d = x < y ? -1 : x > y;
		} else {
			d = memcmp(a + f->off, b + f->off, f->size);
		}
		if (d)
			return d;
	}
	return 0;
}

static int rank_values(const struct agg_order *o, const struct agg_rank *a,
		       const struct agg_rank *b)
{
	for (u32 i = 0; i < o->n; i++) {
		u32 k = (i + o->first) % o->n;

		if (a[k].value != b[k].value)
			return a[k].value < b[k].value ? -1 : 1;
		if (a[k].zero != b[k].zero)
			return a[k].zero < b[k].zero ? -1 : 1;
	}
	return 0;
}

static int rank_keys(const struct agg_order *o, const struct agg_rank *a, const struct agg_rank *b)
{
	if (a->lead != b->lead)
		return a->lead < b->lead ? -1 : 1;
	return agg_key_compare(o, a->key, b->key);
}

/* Every rank of a row has the row's key. */
int agg_rank_compare(const void *pa, const void *pb, void *arg)
{
	const struct agg_order *o = arg;
	const struct agg_rank *a = pa, *b = pb;
	int d;

	if (o->by_key) {
		d = rank_keys(o, a, b);
		if (!d)
			d = rank_values(o, a, b);
	} else {
		d = rank_values(o, a, b);
		if (!d)
			d = rank_keys(o, a, b);
	}
	return o->reverse ? -d : d;
}

struct agg_rank agg_rank(const struct agg_state *st, const struct agg_order *o,
			 const struct agg_entry *e)
{
	struct agg_rank r = { .key = e->key, .lead = agg_key_lead(o, e->key) };

	if (st->ops->value->hist)
		hist_order(st->def, e->data, &r.value, &r.zero);
	else
		r.value = st->ops->value->number(st->def, e->data, 1);
	return r;
}

void agg_sort_entries(struct agg_state *st, bool largest_first)
{
	struct agg_order o = { .def = st->def, .n = 1, .reverse = largest_first };
	struct agg_rank *r = xmalloc(st->e.n * sizeof(*r));
	struct agg_entry *sorted = xmalloc(st->e.n * sizeof(*sorted));

	for (u32 i = 0; i < st->e.n; i++)
		r[i] = agg_rank(st, &o, &st->e.v[i]);
	qsort_r(r, st->e.n, sizeof(*r), agg_rank_compare, &o);
	for (u32 i = 0; i < st->e.n; i++)
		sorted[i] = (struct agg_entry){ r[i].key, agg_data(st, r[i].key) };
	memcpy(st->e.v, sorted, st->e.n * sizeof(*sorted));
	free(sorted);
	free(r);
}
