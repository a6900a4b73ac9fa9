/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewagg.c - one aggregation of a view: the values of its keys at the last sample, and what was
 * added since the one before.
 *
 * A key keeps its place in the table, so a sample is one look-up for each row.  Texts of keys are
 * made when they are first asked for, and kept.
 */
#include <stdlib.h>

#include <dtx/aggs.h>

#include "runtime/value/value.h"
#include "runtime/view/view-private.h"

/* ---- life --------------------------------------------------------------------------- */

static void table_column(struct table *t, enum view_what what, const char *name, const char *unit)
{
	t->columns[t->pub.ncolumns++] = (struct view_column){ what, name, unit };
}

static void table_columns(struct table *t)
{
	const struct img_agg *def = t->def;

	t->columns = xcalloc(def->nkeys + 5, sizeof(*t->columns));
	for (u32 k = 0; k < def->nkeys; k++)
		table_column(t, VIEW_KEY, def->keys[k].name ? def->keys[k].name : "key",
			     def->keys[k].unit);
	if (t->hist) {
		table_column(t, VIEW_COUNT, "count", NULL);
		table_column(t, VIEW_RATE, "per s", NULL);
		table_column(t, VIEW_P50, "p50", def->unit);
		table_column(t, VIEW_P99, "p99", def->unit);
		table_column(t, VIEW_MAX, "max", def->unit);
	} else {
		table_column(t, VIEW_VALUE, def->func, t->adds ? NULL : def->unit);
		if (!t->adds && t->counted)
			table_column(t, VIEW_COUNT, "count", NULL);
		if (t->adds || t->counted)
			table_column(t, VIEW_RATE, "per s", NULL);
	}
	t->pub.columns = t->columns;
}

struct table *table_new(const struct run_info *run, const struct img_agg *def)
{
	struct table *t = xcalloc(1, sizeof(*t));

	t->run = run;
	t->def = def;
	t->hist = agg_is_hist(def);
	t->adds = agg_has(def, AGGF_TOTAL);
	t->falls = agg_has(def, AGGF_FALLS);
	t->counted = agg_ops(def->func)->value->counted;
	t->time = run->time;
	t->focus = UINT32_MAX;
	t->pub.def = def;
	t->pub.hist = t->hist;
	t->texts = arena_new();
	table_columns(t);
	if (t->hist) {
		t->pub.nbuckets = hist_buckets(def);
		t->all = heat_new(t->pub.nbuckets, run->time);
		t->sum = xcalloc(t->pub.nbuckets, sizeof(*t->sum));
		t->one_sum = xcalloc(t->pub.nbuckets, sizeof(*t->sum));
		t->bounds = xcalloc(t->pub.nbuckets, sizeof(*t->bounds));
		t->pub.bounds = t->bounds;
		for (u32 i = 0; i < t->pub.nbuckets; i++) {
			s64 low, high;

			hist_bounds(def, i, &low, &high);
			t->bounds[i] = high == INT64_MAX ? low : high;
		}
	}
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	keytab_free(t->index);
	VEC_FREE(&t->rows);
	arena_free(t->texts);
	heat_free(t->all);
	heat_free(t->one);
	past_free(t->past);
	table_part_free(t->part);
	free(t->sum);
	free(t->one_sum);
	free(t->bounds);
	free(t->columns);
	free(t);
}

/* ---- a sample -------------------------------------------------------------------------- */

/* In a replay a key has no bytes: two hashes of its values stand for it. */
static void identity_add(u64 id[2], const void *p, size_t len)
{
	const u8 *b = p;

	for (size_t i = 0; i < len; i++) {
		id[0] = (id[0] ^ b[i]) * 0x100000001b3ull;
		id[1] = (id[1] + b[i]) * 0x9e3779b97f4a7c15ull;
		id[1] ^= id[1] >> 29;
	}
}

static void identity_of(u64 id[2], const struct val *keys, u32 n)
{
	id[0] = 0xcbf29ce484222325ull;
	id[1] = n;
	for (u32 k = 0; k < n; k++) {
		const struct val *v = &keys[k];

		identity_add(id, &v->kind, sizeof(v->kind));
		identity_add(id, &v->u, sizeof(v->u));
		identity_add(id, &v->pid, sizeof(v->pid));
		identity_add(id, &v->len, sizeof(v->len));
		if (v->p)
			identity_add(id, v->p, v->len);
		if (v->kind == VAL_STACK && v->pcs)
			identity_add(id, v->pcs, v->npcs * sizeof(*v->pcs));
		if (v->text)
			identity_add(id, v->text, strlen(v->text));
		for (u32 f = 0; f < v->nframes; f++) {
			identity_add(id, &v->frames[f].addr, sizeof(v->frames[f].addr));
			identity_add(id, v->frames[f].text, strlen(v->frames[f].text) + 1);
		}
	}
}

/* Texts and stacks of a replayed key are kept. */
static const struct val *table_keep(struct table *t, const struct val *keys)
{
	struct val *v = arena_memdup(t->texts, keys, MAX(t->def->nkeys, 1u) * sizeof(*keys));

	for (u32 k = 0; k < t->def->nkeys; k++) {
		if (v[k].p)
			v[k].p = arena_strndup(t->texts, v[k].p, v[k].len);
		if (v[k].text)
			v[k].text = arena_strdup(t->texts, v[k].text);
		if (v[k].pcs)
			v[k].pcs = arena_memdup(t->texts, v[k].pcs, v[k].npcs * sizeof(u64));
		if (v[k].frames) {
			struct frame *f = arena_memdup(t->texts, v[k].frames,
						       v[k].nframes * sizeof(*f));

			for (u32 i = 0; i < v[k].nframes; i++) {
				f[i].text = arena_strdup(t->texts, f[i].text);
				if (f[i].symbol)
					f[i].symbol = arena_strdup(t->texts, f[i].symbol);
				if (f[i].object)
					f[i].object = arena_strdup(t->texts, f[i].object);
				if (f[i].file)
					f[i].file = arena_strdup(t->texts, f[i].file);
			}
			v[k].frames = f;
		}
	}
	return v;
}

static struct table_row *table_row_of(struct table *t, const struct agg_print *p, u32 r,
				      const u64 **data, s64 *norm)
{
	const u8 *raw = agg_print_raw(p, r, data, norm);
	const struct agg_row *row = NULL;
	u64 id[2];
	u32 *at;

	if (!*data) {
		row = agg_print_row(p, r);
		*data = row->data;
		*norm = row->norm;
		identity_of(id, row->keys, t->def->nkeys);
		raw = (const u8 *)id;
	}
	if (!t->index) {
		t->keyed_by = row ? sizeof(id) : t->def->keyed ? t->def->key_size : 8;
		t->index = keytab_new(t->keyed_by, sizeof(u32));
	}
	/* Rows mostly come in the same order each time. */
	if (!row && t->after < t->rows.n &&
	    !memcmp(keytab_key(t->index, t->after), raw, t->keyed_by))
		return &t->rows.v[t->after++];
	at = keytab_put(t->index, raw);
	if (!*at) {
		struct table_row new = { .vals = row ? table_keep(t, row->keys) : NULL };

		VEC_PUSH(&t->rows, new);
		*at = t->rows.n;
	}
	t->after = *at;
	return &t->rows.v[*at - 1];
}

static void table_hist(const struct table *t, struct table_row *r, const u64 *data)
{
	s128 n = 0, before = 0;

	r->num = (struct agg_value){ .kind = AGG_HISTOGRAM };
	for (u32 i = 0; i < t->pub.nbuckets; i++) {
		r->num.beyond |= (s64)data[i] == AGG_BEYOND;
		n += MAX((s64)data[i], (s64)0);          /* a weight may be negative */
	}
	r->num.sum = n;
	r->p50 = r->p99 = r->max = 0;
	for (u32 i = 0; i < t->pub.nbuckets; i++) {
		if ((s64)data[i] <= 0 && (s64)data[i] != AGG_BEYOND)
			continue;
		if (before * 2 < n)
			r->p50 = t->bounds[i];
		if (before * 100 < n * 99)
			r->p99 = t->bounds[i];
		r->max = t->bounds[i];
		before += MAX((s64)data[i], (s64)0);
	}
}

/* What rates are made of: the sum of sum(), else how many values there were. */
static s128 table_amount(const struct table *t, const struct table_row *r)
{
	return t->adds ? r->num.number : t->hist ? r->num.sum : t->counted ? (s128)r->num.count : 0;
}

/* As the flame graph of all rows has it (stackset.c). */
static s64 table_width(const struct table *t, const struct table_row *r)
{
	if (r->num.beyond)
		return INT64_MAX;
	return agg_s64(t->hist || t->counted ? r->num.sum : r->num.number);
}

void table_value(struct table *t, struct table_row *r, const u64 *data, s64 norm)
{
	if (t->hist)
		table_hist(t, r, data);
	else
		r->num = agg_numbers(t->def, data, norm);
	r->amount = table_amount(t, r);
	r->width = table_width(t, r);
}

static void table_put(struct table *t, struct table_row *r, const u64 *data, s64 norm, double secs)
{
	bool known = r->seen == t->sample - 1 && !t->reset;
	s128 before = known ? r->amount : 0;

	table_value(t, r, data, norm);
	if (t->hist)
		agg_ops(t->def->func)->merge->add(t->def, t->sum, data);
	if (t->guesses && !t->falls && r->amount < before)
		before = 0;
	r->delta = agg_s64(r->amount - before);
	r->rate = secs > 0 ? r->delta / secs : 0;
	r->seen = t->sample;
	t->pub.total += r->amount;
	t->pub.rate += r->rate;
	t->pub.width = agg_s64((s128)t->pub.width + MAX(r->width, 0));
	t->pub.nrows++;
	t->pub.beyond |= r->num.beyond;
	if (t->past)
		past_row(t->past, r - t->rows.v, data, known, r->delta);
}

/* Keys that are gone are forgotten when they are the most. */
static void table_compact(struct table *t)
{
	VEC(struct table_row) kept = { 0 };
	struct keytab *index;
	u32 size = t->keyed_by, focus = UINT32_MAX, *ids;

	if (t->rows.n < 1024 || t->rows.n < 2 * t->pub.nrows)
		return;
	index = keytab_new(size, sizeof(u32));
	ids = xmalloc(t->rows.n * sizeof(*ids));
	arena_clear(t->texts);
	for (u32 i = 0; i < t->rows.n; i++) {
		struct table_row r = t->rows.v[i];

		ids[i] = r.seen == t->sample ? kept.n : UINT32_MAX;
		if (r.seen != t->sample)
			continue;
		r.keys = NULL;
		VEC_PUSH(&kept, r);
		*(u32 *)keytab_put(index, keytab_key(t->index, i)) = kept.n;
		if (i == t->focus)
			focus = kept.n - 1;
	}
	if (t->past)
		past_renumber(t->past, ids, t->rows.n);
	free(ids);
	keytab_free(t->index);
	VEC_FREE(&t->rows);
	memcpy(&t->rows, &kept, sizeof(kept));
	t->index = index;
	t->focus = focus;
	t->pub.generation++;
}

void table_sample(struct table *t, const struct agg_print *p, s64 now)
{
	double secs = (now - t->time) / 1e9;
	bool focused = false;
	u32 resets, changes = agg_print_changes(p, &resets);

	t->keys = agg_print_keys(p);
	t->reset = resets != t->resets;
	t->guesses = !t->keys || changes != t->changes;          /* a replay has no changes */
	if (t->past)
		past_begin(t->past, changes != t->changes, t->keys);
	t->resets = resets;
	t->changes = changes;
	t->sample++;
	t->after = 0;
	t->pub.nrows = 0;
	t->pub.total = 0;
	t->pub.rate = 0;
	t->pub.width = 0;
	t->pub.beyond = false;
	if (t->hist)
		memset(t->sum, 0, t->pub.nbuckets * sizeof(*t->sum));
	for (u32 i = 0; i < p->nrows; i++) {
		const u64 *data;
		s64 norm;
		struct table_row *r = table_row_of(t, p, i, &data, &norm);

		t->norm = norm;
		table_put(t, r, data, norm, secs);
		if (t->one && t->focus == (u32)(r - t->rows.v)) {
			memcpy(t->one_sum, data, t->pub.nbuckets * sizeof(*data));
			focused = true;
		}
	}
	if (t->hist)
		heat_add(t->all, t->sum, now);
	if (t->one && !focused)
		memset(t->one_sum, 0, t->pub.nbuckets * sizeof(*t->sum));
	if (t->one && t->one_fresh)
		heat_begin(t->one, t->one_sum, now);
	else if (t->one)
		heat_add(t->one, t->one_sum, now);
	t->one_fresh = false;
	if (t->past)
		past_end(t->past, now);
	t->time = now;
	if (t->keys && t->index)
		table_compact(t);
}

void table_focus(struct table *t, u32 id)
{
	if (!t->hist || (t->focus == id && t->one) || (id == UINT32_MAX && !t->one))
		return;
	heat_free(t->one);
	t->one = id == UINT32_MAX ? NULL : heat_new(t->pub.nbuckets, t->time);
	t->one_fresh = t->one;
	t->focus = id;
}

const struct view_agg *table_agg(struct table *t)
{
	struct heat *h = t->one ? t->one : t->all;

	t->pub.focus = t->one ? t->focus : UINT32_MAX;
	if (h) {
		t->pub.buckets = heat_buckets(h);
		t->pub.spans = heat_spans(h, &t->pub.nspans);
	}
	return &t->pub;
}
