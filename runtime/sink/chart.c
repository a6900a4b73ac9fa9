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
#include "runtime/stack/text.h"
#include "runtime/value/agg.h"

static int key_width(const struct val *v)
{
	static const int width[9] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };

	return v->kind == VAL_INT && v->size <= 8 && width[v->size] ? width[v->size] : 16;
}

static void key_text(const struct out *o, const struct val *v, struct buf *b)
{
	struct buf text = { 0 };

	switch (v->kind) {
	case VAL_INT:
		buf_printf(b, " %*" PRId64, key_width(v), (s64)v->u);
		break;
	case VAL_SYM:
		sym_val(o->env, v, &text);
		buf_printf(b, " %*s", key_width(v), text.data ? text.data : "");
		buf_free(&text);
		break;
	case VAL_STACK:
		sym_stack(o->env, v, opt_num(o->env, OPT_stackindent), b);
		break;
	default:
		buf_plain(&text, v->p, strnlen(v->p, v->len), 0);
		buf_printf(b, " %*s", key_width(v), text.data ? text.data : "");
		buf_free(&text);
	}
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

static s64 scalar(const struct agg_print *p, u32 row, s64 norm)
{
	return agg_number(p->aggs[0], agg_print_row(p, row)->data, norm);
}

static void chart_bars(const struct out *o, const struct agg_print *p, struct buf *b)
{
	struct hist_style style = hist_style(o->env->opts);
	int width = keys_width(p);
	struct hist_scale scale = { 0 };

	for (u32 r = 0; r < p->nrows; r++)
		hist_scale_add(&scale, scalar(p, r, 1));
	buf_printf(b, "\n%*s %41s %-9s\n", width ? width : 16, width ? "key" : "value",
		   "------------- Distribution -------------", "count");
	for (u32 r = 0; r < p->nrows; r++) {
		keys_text(o, p, r, b);
		buf_pad(b, ' ', width ? 0 : 16);
		buf_putc(b, ' ');
		hist_bar_line(&scale, &style, scalar(p, r, 1),
			      scalar(p, r, agg_print_row(p, r)->norm), b);
	}
}

/* ---- aggpack --------------------------------------------------------------------- */

struct pack {
	u32 from, to;            /* buckets */
	char low[40], high[40];  /* their labels */
};

/* One cell for a count: its share of `total`, to the nearest glyph. */
static void pack_cell(struct buf *b, s64 count, long double total, bool utf8)
{
	static const char ramp[] = "__xxxxXX", negative[] = "vvvvVV";
	long double share = total > 0 ? fabsl((long double)count) / total : 0;

	if (!count)
		buf_putc(b, ' ');
	else if (count < 0)
		buf_putc(b, negative[(u32)(share * 5 + 0.5L)]);
	else if (utf8)
		buf_printf(b, "\xe2\x96%c", 0x81 + (u32)(share * 7 + 0.5L));
	else
		buf_putc(b, ramp[(u32)(share * 7 + 0.5L)]);
}

static int pack_low(const struct agg_print *p, const struct pack *k)
{
	return MAX(strlen(k->low), agg_ops(p->aggs[0]->func)->value->hist->low_cols);
}

static int pack_high(const struct agg_print *p, const struct pack *k)
{
	return MAX(strlen(k->high), agg_ops(p->aggs[0]->func)->value->hist->high_cols);
}

static void pack_row(const struct agg_print *p, u32 row, const struct pack *k,
		     const struct hist_style *style, struct buf *b)
{
	const struct agg_row *r = agg_print_row(p, row);
	long double total = 0, most = 0;

	for (u32 i = k->from; i <= k->to; i++) {
		long double v = fabsl((long double)(s64)r->data[i]);

		total += v;
		most = MAX(most, v);
	}
	buf_printf(b, " %*s :", pack_low(p, k), k->low);
	for (u32 i = k->from; i <= k->to; i++)
		pack_cell(b, r->data[i], style->zoom ? most / HIST_ZOOM : total, style->utf8);
	buf_printf(b, ": %-*s | %" PRId64 "\n", pack_high(p, k), k->high,
		   agg_div(total < 0x1p63L ? (s64)total : INT64_MAX, r->norm));
}

/* The range of the aggregation in all rows of the run so far: rows printed each second compare. */
static struct chart_range *chart_range(struct chart *c, const struct agg_print *p)
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
	for (u32 r = 0; r < p->nrows; r++)
		hist_span(p->aggs[0], agg_print_row(p, r)->data, &range->from, &range->to);
	return range;
}

static void chart_pack(const struct out *o, const struct agg_print *p, struct chart *c,
		       struct buf *b)
{
	struct hist_style style = hist_style(o->env->opts);
	struct pack k;

	if (!p->nrows)
		return;
	k.from = chart_range(c, p)->from;
	k.to = chart_range(c, p)->to;
	hist_label_of(p->aggs[0], k.from, k.low, sizeof(k.low));
	hist_label_of(p->aggs[0], k.to, k.high, sizeof(k.high));
	buf_printf(b, "\n%*s %*s .", keys_width(p), keys_width(p) ? "key" : "",
		   pack_low(p, &k), "min");
	buf_pad(b, '-', k.to - k.from + 1);
	buf_printf(b, ". %-*s | count\n", pack_high(p, &k), "max");
	for (u32 r = 0; r < p->nrows; r++) {
		keys_text(o, p, r, b);
		pack_row(p, r, &k, &style, b);
	}
}

bool chart_rows(struct out *o, const struct agg_print *p, struct chart *c, struct buf *b)
{
	const struct opt_value *opts = o->env->opts->v;
	bool hist;

	if (p->naggs != 1 || (!opts[OPT_agghist].n && !opts[OPT_aggpack].n))
		return false;
	hist = agg_is_hist(p->aggs[0]);
	if (hist && opts[OPT_aggpack].n)
		chart_pack(o, p, c, b);
	else if (!hist && opts[OPT_agghist].n)
		chart_bars(o, p, b);
	else
		return false;
	return true;
}
