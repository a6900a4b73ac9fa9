/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.c - agghist: a bar for each entry; aggpack: a histogram on one line
 * (DTrace guide "Aggregations").
 *
 *               key  ------------- Distribution ------------- count
 *              bash |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@          12
 *
 *               key  min .--------. max  | count
 *              bash    1 : _xXx__ : 128  | 40
 *
 * A key is a blank and a column, as in tables; strings and symbols have 16 columns.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <dtx/opt.h>

#include "runtime/sink/sink.h"

static int key_width(const struct val *v)
{
	static const int width[9] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };

	return v->kind == VAL_INT && v->size <= 8 && width[v->size] ? width[v->size] : 16;
}

/* Where a key is written. */
struct key_to {
	const struct out *o;
	struct buf *b;
};

static void chart_int(void *arg, const struct val *v)
{
	text_key_int(((struct key_to *)arg)->b, v);
}

static void chart_sym(void *arg, const struct val *v)
{
	struct key_to *to = arg;
	struct buf text = { 0 };

	sym_val(to->o->env, v, &text);
	buf_printf(to->b, " %*s", key_width(v), text.data ? text.data : "");
	buf_free(&text);
}

static void chart_stack(void *arg, const struct val *v)
{
	struct key_to *to = arg;

	sym_stack(to->o->env, v, opt_num(to->o->env, OPT_stackindent), to->b);
}

static void chart_string(void *arg, const struct val *v)
{
	struct buf text = { 0 };

	buf_plain(&text, v->p, strnlen(v->p, v->len), 0);
	buf_printf(((struct key_to *)arg)->b, " %*s", key_width(v), text.data ? text.data : "");
	buf_free(&text);
}

static void key_text(const struct out *o, const struct val *v, struct buf *b)
{
	static const struct val_visitor visitor = {
		chart_int, chart_string, chart_string, chart_stack, chart_sym
	};

	val_visit(v, &visitor, &(struct key_to){ o, b });
}

/* Columns of all keys; 0: no keys. */
static int keys_width(const struct agg_print *p)
{
	int w = 0;

	for (u32 k = 0; k < p->aggs[0]->nkeys && p->nrows; k++)
		w += 1 + key_width(&agg_print_row(p, 0)->keys[k]);
	return w;
}

static void keys_text(const struct out *o, const struct agg_print *p, u32 row, struct buf *b)
{
	for (u32 k = 0; k < p->aggs[0]->nkeys; k++)
		key_text(o, &agg_print_row(p, row)->keys[k], b);
}

/* ---- agghist --------------------------------------------------------------------- */

/* What bars are drawn by: nothing is normalized but the number shown. */
static s128 plain(const struct agg_print *p, u32 row)
{
	return agg_value_plain(p, agg_print_row(p, row), 0, NULL).number;
}

static void chart_bars(const struct out *o, const struct agg_print *p, struct buf *b)
{
	struct hist_style style = hist_style(o->env->opts);
	int width = keys_width(p);
	struct hist_scale scale = { 0 };

	for (u32 r = 0; r < p->nrows; r++)
		hist_scale_add(&scale, plain(p, r));
	buf_printf(b, "\n%*s %41s %-9s\n", width ? width : 16, width ? "key" : "value",
		   "------------- Distribution -------------", "count");
	for (u32 r = 0; r < p->nrows; r++) {
		keys_text(o, p, r, b);
		buf_pad(b, ' ', width ? 0 : 16);
		buf_putc(b, ' ');
		hist_bar_line(&scale, &style, plain(p, r),
			      agg_value(p, agg_print_row(p, r), 0, NULL).number, b);
	}
}

/* ---- aggpack --------------------------------------------------------------------- */

struct pack {
	u32 from, to;            /* buckets */
	char low[40], high[40];  /* their labels */
	int low_cols, high_cols;
	struct hist_style style;
	struct arena *arena;     /* of the buckets of a row */
};

/* One cell for a count: its share of `total`, to the nearest glyph. */
static void pack_cell(struct buf *b, s64 count, long double total, bool utf8)
{
	static const char ramp[] = "__xxxxXX", negative[] = "vvvvVV";
	long double share = total > 0 ? fabsl((long double)count) / total : 0;

	if (!count)
		buf_putc(b, ' ');
	else if (count < 0 && count != AGG_BEYOND)
		buf_putc(b, negative[(u32)(share * 5 + 0.5L)]);
	else if (utf8)
		buf_printf(b, "\xe2\x96%c", 0x81 + (u32)(share * 7 + 0.5L));
	else
		buf_putc(b, ramp[(u32)(share * 7 + 0.5L)]);
}

static void pack_row(const struct agg_print *p, u32 row, const struct pack *k, struct buf *b)
{
	const struct agg_row *r = agg_print_row(p, row);
	struct agg_value v = agg_value_plain(p, r, 0, k->arena);
	long double total = 0, most = 0;
	bool beyond = false;
	u32 at = 0;

	for (u32 i = 0; i < v.nbuckets; i++) {
		long double n = fabsl((long double)v.buckets[i].count);

		beyond |= v.buckets[i].count == AGG_BEYOND;
		total += n;
		most = MAX(most, n);
	}
	buf_printf(b, " %*s :", k->low_cols, k->low);
	for (u32 i = k->from; i <= k->to; i++) {
		bool here = at < v.nbuckets && v.buckets[at].index == i;

		pack_cell(b, here ? v.buckets[at].count : 0,
			  k->style.zoom ? most / HIST_ZOOM : total, k->style.utf8);
		at += here;
	}
	buf_printf(b, ": %-*s | ", k->high_cols, k->high);
	if (beyond)
		buf_puts(b, "beyond 64 bits");
	else
		buf_wide(b, agg_div((s128)total, r->norm));
	buf_putc(b, '\n');
	arena_clear(k->arena);
}

/* The range of the aggregation in all rows of the run so far: rows printed each second compare. */
static struct chart_range *chart_range(struct chart *c, const struct agg_print *p, struct arena *a)
{
	struct chart_range *range = NULL;

	for (u32 i = 0; i < c->n && !range; i++)
		if (!strcmp(c->v[i].name, p->aggs[0]->name))
			range = &c->v[i];
	if (!range) {
		VEC_PUSH(c, ((struct chart_range){ .name = p->aggs[0]->name,
						   .from = UINT32_MAX }));
		range = &c->v[c->n - 1];
	}
	for (u32 r = 0; r < p->nrows; r++) {
		struct agg_value v = agg_value_plain(p, agg_print_row(p, r), 0, a);

		hist_span(p->aggs[0], &v, &range->from, &range->to);
		arena_clear(a);
	}
	return range;
}

static void pack_begin(struct pack *k, const struct out *o, const struct agg_print *p,
		       const struct chart_range *range)
{
	k->from = range->from;
	k->to = range->to;
	k->style = hist_style(o->env->opts);
	hist_label_of(p->aggs[0], k->from, k->low, sizeof(k->low));
	hist_label_of(p->aggs[0], k->to, k->high, sizeof(k->high));
	hist_columns(p->aggs[0], &k->low_cols, &k->high_cols);
	k->low_cols = MAX((int)strlen(k->low), k->low_cols);
	k->high_cols = MAX((int)strlen(k->high), k->high_cols);
}

static void chart_pack(const struct out *o, const struct agg_print *p, struct chart *c,
		       struct buf *b)
{
	struct pack k = { .arena = arena_new() };

	if (p->nrows) {
		pack_begin(&k, o, p, chart_range(c, p, k.arena));
		buf_printf(b, "\n%*s %*s .", keys_width(p), keys_width(p) ? "key" : "",
			   k.low_cols, "min");
		buf_pad(b, '-', k.to - k.from + 1);
		buf_printf(b, ". %-*s | count\n", k.high_cols, "max");
	}
	for (u32 r = 0; r < p->nrows; r++) {
		keys_text(o, p, r, b);
		pack_row(p, r, &k, b);
	}
	arena_free(k.arena);
}

bool chart_rows(struct out *o, const struct agg_print *p, struct chart *c, struct buf *b)
{
	const struct opt_value *opts = o->env->opts->v;
	bool hist;

	if (p->naggs != 1 || (!opts[OPT_agghist].n && !opts[OPT_aggpack].n))
		return false;
	hist = agg_kind(p->aggs[0]) == AGG_HISTOGRAM;
	if (hist && opts[OPT_aggpack].n)
		chart_pack(o, p, c, b);
	else if (!hist && opts[OPT_agghist].n)
		chart_bars(o, p, b);
	else
		return false;
	return true;
}
