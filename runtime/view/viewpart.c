/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewpart.c - the rows of an aggregation for a part of the time, made of its past (past.h).  The
 * last part that was asked for stays: a page asks for its table, its flame graph, and other rows.
 */
#include <stdlib.h>

#include "runtime/value/value.h"
#include "runtime/view/view-private.h"

void table_part_free(struct table_part *p)
{
	if (!p)
		return;
	VEC_FREE(&p->rows);
	VEC_FREE(&p->ids);
	free(p);
}

void table_remember(struct table *t, size_t most)
{
	if (!t->past)
		t->past = past_new(t->def, t->time, most);
}

static void part_rows(struct table *t, struct table_part *p, const struct past_span *all)
{
	u64 *words = xcalloc(agg_data_words(t->def), sizeof(*words));
	double secs = (all->to - all->from) / 1e9;
	size_t at = 0;
	u32 after = 0;

	for (u32 id; (id = past_next(t->past, all, &at, &after, words)) != UINT32_MAX; ) {
		struct table_row r = { 0 };

		table_value(t, &r, words, t->norm);
		r.delta = agg_s64(r.amount);
		r.rate = secs > 0 ? r.amount / secs : 0;
		p->pub.total += r.amount;
		p->pub.beyond |= r.num.beyond;
		p->pub.width = agg_s64((s128)p->pub.width + MAX(r.width, 0));
		p->pub.rate += r.rate;
		VEC_PUSH(&p->rows, r);
		VEC_PUSH(&p->ids, id);
	}
	free(words);
}

const struct view_part *table_part(struct table *t, s64 from, s64 to)
{
	struct table_part *p = t->part;
	struct past_span all;

	if (p && p->from == from && p->to == to && p->sample == t->sample)
		return &p->pub;
	if (!t->past || !past_part(t->past, from, to, &all))
		return NULL;
	table_part_free(p);
	p = t->part = xcalloc(1, sizeof(*p));
	p->from = from;
	p->to = to;
	p->sample = t->sample;
	p->pub = (struct view_part){ .from = all.from, .to = all.to, .forgotten = all.forgotten,
				     .cleared = all.cleared };
	part_rows(t, p, &all);
	p->pub.nrows = p->rows.n;
	buf_free(&all.rows);
	return &p->pub;
}

void table_part_widths(struct table *t, s64 from, s64 to, struct view_width *widths)
{
	if (!table_part(t, from, to))
		return;
	for (u32 i = 0; i < t->part->rows.n; i++)
		widths[i] = (struct view_width){ t->part->ids.v[i], t->part->rows.v[i].width };
}

const struct past *table_past(const struct table *t)
{
	return t->past;
}

s64 table_norm(const struct table *t)
{
	return t->norm ? t->norm : 1;
}

u32 table_ids(const struct table *t)
{
	return t->rows.n;
}
