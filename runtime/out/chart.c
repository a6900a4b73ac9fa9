/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chart.c - agghist: a bar for each entry; aggpack: a histogram on one line
 * (d-builtins §8.6).
 *
 *              key  ------------- Distribution ------------- count
 *             bash |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@          12
 *
 *              key  min .--------. max  | count
 *             bash    1 : _xXx__ : 128  | 40
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "runtime.h"

static int key_width(const struct val *v)
{
	static const int width[9] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };

	return v->kind == VAL_INT && v->size <= 8 && width[v->size] ? width[v->size] : 16;
}

static void key_text(const struct out *o, const struct val *v, struct buf *b)
{
	switch (v->kind) {
	case VAL_INT:
		buf_printf(b, "%*" PRId64, key_width(v), (s64)v->u);
		break;
	case VAL_SYM:
		sym_val(o->env, v, b);
		break;
	case VAL_STACK:
		sym_stack(o->env, v, o->env->opts.v[OPT_stackindent].n, b);
		break;
	default:
		buf_printf(b, "%*.*s", key_width(v), (int)v->len, v->p);
	}
}

static int keys_width(const struct agg_print *p)
{
	u32 n = p->aggs[0]->nkeys;
	int w = n ? n - 1 : 0;

	for (u32 k = 0; k < n && p->nrows; k++)
		w += key_width(&p->rows[0][0].keys[k]);
	return MAX(w, (int)strlen("key"));
}

static void keys_text(const struct out *o, const struct agg_print *p, u32 row, struct buf *b)
{
	struct buf keys = { 0 };

	buf_puts(&keys, "");
	for (u32 k = 0; k < p->aggs[0]->nkeys; k++) {
		if (k)
			buf_putc(&keys, ' ');
		key_text(o, &p->rows[row][0].keys[k], &keys);
	}
	buf_pad(b, ' ', keys_width(p) - (int)keys.len);
	buf_add(b, keys.data, keys.len);
	buf_free(&keys);
}

/* ---- agghist --------------------------------------------------------------------- */

static s64 scalar(const struct agg_print *p, u32 row, s64 norm)
{
	s64 v = 0;

	agg_ops(p->aggs[0]->func)->scalar(p->aggs[0], p->rows[row][0].data, norm, &v);
	return v;
}

static void chart_bars(const struct out *o, const struct agg_print *p, struct buf *b)
{
	struct hist_style style = hist_style(&o->env->opts);
	long double total = 0, most = 0;

	for (u32 r = 0; r < p->nrows; r++) {
		long double v = fabsl((long double)scalar(p, r, 1));

		total += v;
		most = MAX(most, v);
	}
	buf_printf(b, "\n%*s %41s %-9s\n", keys_width(p), "key",
		   "------------- Distribution -------------", "count");
	for (u32 r = 0; r < p->nrows; r++) {
		keys_text(o, p, r, b);
		buf_putc(b, ' ');
		hist_bar_line(scalar(p, r, 1), scalar(p, r, p->rows[r][0].norm),
			      style.zoom ? most / HIST_ZOOM : total, style.utf8, b);
	}
}

/* ---- aggpack --------------------------------------------------------------------- */

struct pack {
	u32 from, to;            /* buckets */
	char low[40], high[40];  /* their labels */
};

/* One cell for a count; `most`: what fills it. */
static void pack_cell(struct buf *b, s64 count, long double most, bool utf8)
{
	static const char ramp[] = "_xX", negative[] = "vV";
	long double share = most > 0 ? fabsl((long double)count) / most : 0;
	u32 step = MIN((u32)(share * 8), 7u);

	if (!count)
		buf_putc(b, ' ');
	else if (count < 0)
		buf_putc(b, negative[share > 0.5L]);
	else if (utf8)
		buf_printf(b, "\xe2\x96%c", 0x81 + step);
	else
		buf_putc(b, ramp[MIN((u32)(share * 3), 2u)]);
}

static void pack_row(const struct agg_print *p, u32 row, const struct pack *k,
		     const struct hist_style *style, struct buf *b)
{
	const struct agg_row *r = &p->rows[row][0];
	long double total = 0, most = 0;

	for (u32 i = k->from; i <= k->to; i++) {
		long double v = fabsl((long double)(s64)r->data[i]);

		total += v;
		most = MAX(most, v);
	}
	buf_printf(b, " %*s :", (int)MAX(strlen(k->low), 3), k->low);
	for (u32 i = k->from; i <= k->to; i++)
		pack_cell(b, r->data[i], style->zoom ? most : total, style->utf8);
	buf_printf(b, ": %-*s | %" PRId64 "\n", (int)MAX(strlen(k->high), 6), k->high,
		   (s64)total / (r->norm ? r->norm : 1));
}

static void chart_pack(const struct out *o, const struct agg_print *p, struct buf *b)
{
	struct hist_style style = hist_style(&o->env->opts);
	struct pack k = { .from = UINT32_MAX };

	for (u32 r = 0; r < p->nrows; r++)
		hist_span(p->aggs[0], p->rows[r][0].data, &k.from, &k.to);
	if (!p->nrows)
		return;
	hist_label_of(p->aggs[0], k.from, k.low, sizeof(k.low));
	hist_label_of(p->aggs[0], k.to, k.high, sizeof(k.high));
	buf_printf(b, "\n%*s %*s .", keys_width(p), "key", (int)MAX(strlen(k.low), 3), "min");
	buf_pad(b, '-', k.to - k.from + 1);
	buf_printf(b, ". %-*s | count\n", (int)MAX(strlen(k.high), 6), "max");
	for (u32 r = 0; r < p->nrows; r++) {
		keys_text(o, p, r, b);
		pack_row(p, r, &k, &style, b);
	}
}

bool chart_rows(struct out *o, const struct agg_print *p, struct buf *b)
{
	const struct opt_value *opts = o->env->opts.v;
	bool hist;

	if (p->naggs != 1 || (!opts[OPT_agghist].n && !opts[OPT_aggpack].n))
		return false;
	hist = strstr(p->aggs[0]->func, "quantize");
	if (hist && opts[OPT_aggpack].n)
		chart_pack(o, p, b);
	else if (!hist && opts[OPT_agghist].n)
		chart_bars(o, p, b);
	else
		return false;
	return true;
}
