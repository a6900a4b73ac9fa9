/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggpack.c - the order of packed rows (aggcarry.c), of which there may be millions: they are in no
 * memory, each is read when it is asked for.
 *
 * Rows are divided by value and key into parts.  A sample of the rows tells where parts begin,
 * and a byte for each row says its part.  Then the rows of one part after the other are sorted.  So
 * the order needs five bytes a row, and what one part needs.
 */
#include <stdlib.h>

#include "runtime/value/value.h"

#define PART_ROWS   65536u       /* rows of a part, about */
#define PARTS_MOST  256u
#define SAMPLES     32u          /* for each bound */
#define TRUNC_MOST  65536u       /* rows that trunc() leaves; more: all are read */
#define TRUNC_ROOM  4096u

/* By what a row is compared, before its whole key. */
struct place {
	u64 value, lead;
	u32 row;
};

struct packed {
	const struct agg_state *st;
	const struct agg_order *o;
	u8 *key;                         /* of the row that was read; its data is beside it */
	u8 *other;                       /* the same, to be compared with it */
};

static struct packed packed_begin(const struct agg_state *st, const struct agg_order *o)
{
	return (struct packed){ st, o, xmalloc(agg_row_bytes(st)), xmalloc(agg_row_bytes(st)) };
}

static void packed_end(struct packed *p)
{
	free(p->key);
	free(p->other);
}

static struct place rank_of(const struct packed *p, u32 row)
{
	struct place at = { .row = row };
	const u64 *data;

	agg_packed_row(p->st, row, p->key);
	data = agg_data(p->st, p->key);
	at.lead = agg_key_lead(p->o, p->key);
	if (!p->o->by_key)               /* as a number that is compared without a sign */
		at.value = (u64)p->st->ops->value->number(p->st->def, data, 1) ^ 1ull << 63;
	return at;
}

static int before(const struct place *a, const struct place *b)
{
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return a->lead < b->lead ? -1 : a->lead > b->lead;
}

static int by_place(const void *a, const void *b)
{
	return before(a, b);
}

/* ---- rows that are alike so far --------------------------------------------------------- */

struct tied {
	const struct agg_order *o;
	const u8 *keys;
	u32 bytes;
};

static int tied_compare(const void *a, const void *b, void *arg)
{
	const struct tied *t = arg;

	return agg_key_compare(t->o, t->keys + (size_t)*(const u32 *)a * t->bytes,
			       t->keys + (size_t)*(const u32 *)b * t->bytes);
}

static void sort_tied(const struct packed *p, u32 *rows, u32 n)
{
	u32 bytes = p->st->key_bytes, *at = xmalloc(n * sizeof(*at));
	u8 *keys = xmalloc((size_t)n * bytes);

	for (u32 i = 0; i < n; i++) {
		agg_packed_row(p->st, rows[i], p->key);
		memcpy(keys + (size_t)i * bytes, p->key, bytes);
		at[i] = i;
	}
	qsort_r(at, n, sizeof(*at), tied_compare, &(struct tied){ p->o, keys, bytes });
	for (u32 i = 0; i < n; i++)
		at[i] = rows[at[i]];
	memcpy(rows, at, n * sizeof(*at));
	free(keys);
	free(at);
}

/* ---- parts ------------------------------------------------------------------------------ */

struct parts {
	struct place *bounds;            /* the first of each part but the first part */
	u32 n;
	u8 *part;                        /* of each row */
	u32 *ends;                       /* of each part, in the order */
};

static void find_bounds(const struct packed *p, struct parts *parts, u32 n)
{
	u32 nsamples = (parts->n - 1) * SAMPLES, each = nsamples ? n / nsamples : 0;
	struct place *v = xmalloc((nsamples + 1) * sizeof(*v));

	for (u32 i = 0; i < nsamples; i++)
		v[i] = rank_of(p, i * each);
	qsort(v, nsamples, sizeof(*v), by_place);
	for (u32 i = 0; i + 1 < parts->n; i++)
		parts->bounds[i] = v[i * SAMPLES + SAMPLES / 2];
	free(v);
}

/* Puts the numbers of the rows of each part beside each other. */
static void divide(const struct packed *p, struct parts *parts, u32 *rows, u32 n)
{
	u32 sum = 0;

	for (u32 i = 0; i < n; i++) {
		struct place at = rank_of(p, i);
		u32 part = BISECT(k, parts->n - 1, before(&parts->bounds[k], &at) > 0);

		parts->part[i] = (u8)part;
		parts->ends[part]++;
	}
	for (u32 k = 0; k < parts->n; k++) {
		u32 here = parts->ends[k];

		parts->ends[k] = sum;
		sum += here;
	}
	for (u32 i = 0; i < n; i++)
		rows[parts->ends[parts->part[i]]++] = i;
}

static void sort_part(const struct packed *p, u32 *rows, u32 n)
{
	struct place *v = xmalloc((n + 1) * sizeof(*v));
	u32 from = 0;

	for (u32 i = 0; i < n; i++)
		v[i] = rank_of(p, rows[i]);
	qsort(v, n, sizeof(*v), by_place);
	for (u32 i = 0; i < n; i++)
		rows[i] = v[i].row;
	for (u32 i = 1; i <= n; i++) {
		if (i < n && !before(&v[i], &v[from]))
			continue;
		if (i > from + 1)
			sort_tied(p, rows + from, i - from);
		from = i;
	}
	free(v);
}

static void reverse(u32 *rows, u32 n)
{
	for (u32 i = 0; i < n / 2; i++) {
		u32 other = rows[i];

		rows[i] = rows[n - 1 - i];
		rows[n - 1 - i] = other;
	}
}

u32 *agg_packed_order(const struct agg_state *st, const struct agg_order *o, struct arena *a,
		      u32 n)
{
	struct parts parts = { .n = MIN(n / PART_ROWS + 1, PARTS_MOST) };
	u32 *rows = ARENA_ARRAY(a, u32, MAX(n, 1u));
	struct packed p = packed_begin(st, o);

	parts.bounds = xcalloc(parts.n, sizeof(*parts.bounds));
	parts.ends = xcalloc(parts.n, sizeof(*parts.ends));
	parts.part = xmalloc(n + 1);
	find_bounds(&p, &parts, n);
	divide(&p, &parts, rows, n);
	free(parts.part);
	for (u32 k = 0; k < parts.n; k++) {
		u32 from = k ? parts.ends[k - 1] : 0;

		sort_part(&p, rows + from, parts.ends[k] - from);
	}
	free(parts.bounds);
	free(parts.ends);
	packed_end(&p);
	if (o->reverse)
		reverse(rows, n);
	return rows;
}

/* ---- trunc() ------------------------------------------------------------------------------ */

/* In the order in which trunc() keeps the first ones. */
static int first_kept(const void *pa, const void *pb, void *arg)
{
	const struct place *a = pa, *b = pb;
	const struct packed *p = arg;
	int d = before(a, b);

	if (!d) {
		agg_packed_row(p->st, a->row, p->key);
		agg_packed_row(p->st, b->row, p->other);
		d = agg_key_compare(p->o, p->key, p->other);
	}
	return p->o->reverse ? -d : d;
}

static int by_row(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* The numbers of the n rows that are kept, ascending. */
static void choose_rows(struct packed *p, u32 *rows, u32 n)
{
	u32 all = agg_packed_rows(p->st), room = 2 * n + TRUNC_ROOM, held = 0;
	struct place *v = xmalloc(room * sizeof(*v));
	bool cut = false;                /* v[n - 1] is the last one that is kept so far */

	for (u32 i = 0; i < all; i++) {
		struct place at = rank_of(p, i);
		int d = cut ? before(&at, &v[n - 1]) : 0;

		if (p->o->reverse ? d < 0 : d > 0)
			continue;
		v[held++] = at;
		if (held < room)
			continue;
		qsort_r(v, held, sizeof(*v), first_kept, p);
		held = n;
		cut = true;
	}
	qsort_r(v, held, sizeof(*v), first_kept, p);
	for (u32 i = 0; i < n; i++)
		rows[i] = v[i].row;
	qsort(rows, n, sizeof(*rows), by_row);
	free(v);
}

bool agg_packed_trunc(struct agg_state *st, u64 n, bool largest)
{
	struct agg_order o = { .def = st->def, .n = 1, .reverse = largest };
	struct packed p;
	u32 *rows;

	if (!st->packed || (n && st->base) || n > TRUNC_MOST)
		return false;
	if (n && n >= agg_packed_rows(st))
		return true;
	rows = xmalloc(MAX(n, 1ull) * sizeof(*rows));
	p = packed_begin(st, &o);
	if (n)
		choose_rows(&p, rows, (u32)n);
	rowstore_keep(st->carry, rows, (u32)n);
	st->changes++;
	st->cleared++;
	packed_end(&p);
	free(rows);
	return true;
}
