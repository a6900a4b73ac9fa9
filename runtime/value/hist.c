/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hist.c - quantize, lquantize, llquantize: bucket arithmetic and DTrace's rows.
 *
 * Buckets are signed 64-bit counts, index 0 is the lowest values.  All divisions are
 * integer divisions that truncate; the update functions in bpf/agg.bpf.c and the
 * sizes in aggs.def follow these formulas.
 *
 * quantize              127 buckets
 *     i == 63           x == 0
 *     i == 64 + k       2^k <= x < 2^(k+1),    k = 0 .. 62
 *     i == 62 - k       -2^(k+1) < x <= -2^k,  k = 0 .. 62   (INT64_MIN counts in i == 0)
 *
 * lquantize(x, low, high, step)    levels + 2 buckets, levels = (high - low) / step
 *     i == 0            x < low
 *     i == 1 + j        low + j*step <= x < low + (j+1)*step,  j = 0 .. levels-1
 *     i == levels + 1   x >= low + levels*step
 *
 * llquantize(x, factor, lmag, hmag, steps)    2*mid + 1 = 2*M*B + 3 buckets
 *     B = steps - steps/factor         buckets of one magnitude
 *     M = hmag - lmag + 1              magnitudes
 *     mid = M*B + 1                    index of the underflow bucket
 *     with a = |x| as an unsigned number (INT64_MIN gives 2^63):
 *     d = 0                            a < factor^lmag
 *     d = mid                          a >= factor^(hmag+1)
 *     d = 1 + (m-lmag)*B + j           factor^m <= a < factor^(m+1), lmag <= m <= hmag,
 *         j = a*steps/factor^(m+1) - steps/factor, which is without overflow
 *             a*(steps/factor) - steps/factor           m == 0 and steps > factor
 *             a/(factor^(m+1)/steps) - steps/factor     otherwise
 *     i = mid + d for x >= 0, mid - d for x < 0
 *   so the order is: negative overflow, negative (largest magnitude first), underflow,
 *   positive, overflow.  Bucket j of magnitude m begins at (steps/factor + j) *
 *   factor^(m+1) / steps, but not below factor^m.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include <dtx/opt.h>

#include "runtime/value/value.h"

#define QUANT_ZERO  63
#define BAR_WIDTH   40

/* ---- quantize --------------------------------------------------------------------- */

static void quant_init(struct hist *h, const s64 *consts)
{
	h->n = DTX_AGG_QUANT_BUCKETS;
	h->mid = QUANT_ZERO;
}

static s128 quant_weight(const struct hist *h, u32 i)
{
	if (i == QUANT_ZERO)
		return 0;
	return i < QUANT_ZERO ? -(s64)(1ull << (62 - i)) : (s64)(1ull << (i - 64));
}

static s64 quant_bound(const struct hist *h, u32 i)
{
	if (i == 0)
		return INT64_MIN;
	return i < QUANT_ZERO ? quant_weight(h, i - 1) + 1 : quant_weight(h, i);
}

static const struct hist_shape quantize = {
	quant_init, quant_weight, quant_bound, .low_cols = 4, .high_cols = 4,
};
const struct agg_reader agg_value_quantize = { .hist = &quantize };

/* ---- lquantize -------------------------------------------------------------------- */

static void linear_init(struct hist *h, const s64 *consts)
{
	h->low = consts[0];
	h->step = MAX(consts[2], 1);
	h->n = (consts[1] - h->low) / h->step + 2;
	h->mid = 1;
}

static s128 linear_weight(const struct hist *h, u32 i)
{
	if (i == 0)
		return h->low - 1;
	return h->low + (s64)(i - 1) * h->step + (i == h->n - 1);
}

static s64 linear_bound(const struct hist *h, u32 i)
{
	return i ? h->low + (s64)(i - 1) * h->step : INT64_MIN;
}

static void linear_label(const struct hist *h, u32 i, bool any_neg, char *out, size_t size)
{
	snprintf(out, size, "%s%" PRId64, i == 0 ? "< " : i == h->n - 1 ? ">= " : "",
		 i ? linear_bound(h, i) : h->low);
}

static const struct hist_shape lquantize = {
	linear_init, linear_weight, linear_bound, linear_label, .low_cols = 7, .high_cols = 8,
};
const struct agg_reader agg_value_lquantize = { .hist = &lquantize };

/* ---- llquantize ------------------------------------------------------------------- */

static u64 log_pow(u64 base, u32 exp)
{
	u64 p = 1;

	while (exp--)
		p *= base;
	return p;
}

static void log_init(struct hist *h, const s64 *consts)
{
	h->factor = MAX(consts[0], 2);
	h->lmag = MIN(MAX(consts[1], 0), 63);
	h->mags = MIN(MAX(consts[2] - h->lmag + 1, 1), 64);
	h->steps = MAX(consts[3], 1);
	h->per = h->steps - h->steps / h->factor;
	h->mid = h->mags * h->per + 1;
	h->n = 2 * h->mid + 1;
	h->min = log_pow(h->factor, h->lmag);
	h->max = log_pow(h->factor, h->lmag + h->mags);
}

/* The bound, nearer to zero, of the bucket at distance d from the middle. */
static u64 log_distance(const struct hist *h, u32 d)
{
	if (!d)
		return 0;
	if (d >= h->mid)
		return h->max;
	u32 m = (d - 1) / h->per, j = (d - 1) % h->per;
	u64 from = log_pow(h->factor, h->lmag + m);
	u64 k = h->steps / h->factor + j;
	u64 at = (unsigned __int128)k * from * h->factor / h->steps;

	return MAX(at, from);
}

/* The empty rows between the integers of the first magnitude. */
static bool log_hidden(const struct hist *h, u32 i)
{
	u32 d = i > h->mid ? i - h->mid : h->mid - i;

	if (h->lmag || h->steps <= h->factor || !d || d > h->per)
		return false;
	return (d - 1) % (h->steps / h->factor) != 0;
}

/* Up to 64 bits and a sign. */
static s128 log_weight(const struct hist *h, u32 i)
{
	return i < h->mid ? -(s128)log_distance(h, h->mid - i) : (s128)log_distance(h, i - h->mid);
}

static s64 log_bound(const struct hist *h, u32 i)
{
	if (i == 0)
		return INT64_MIN;
	if (i == h->mid)
		return 1 - (s64)h->min;
	return i < h->mid ? 1 - (s64)log_distance(h, h->mid - i + 1)
			  : (s64)log_distance(h, i - h->mid);
}

static void log_label(const struct hist *h, u32 i, bool any_neg, char *out, size_t size)
{
	if (i == 0)
		snprintf(out, size, "<= -%" PRIu64, h->max);
	else if (i == h->n - 1)
		snprintf(out, size, ">= %" PRIu64, h->max);
	else if (i < h->mid)
		snprintf(out, size, "-%" PRIu64, log_distance(h, h->mid - i));
	else if (i > h->mid)
		snprintf(out, size, "%" PRIu64, log_distance(h, i - h->mid));
	else if (h->min == 1)
		snprintf(out, size, "0");
	else
		snprintf(out, size, any_neg ? "abs() < %" PRIu64 : "< %" PRIu64, h->min);
}

static const struct hist_shape llquantize = {
	log_init, log_weight, log_bound, log_label, log_hidden, .low_cols = 7, .high_cols = 8,
	.empty_above = true,
};
const struct agg_reader agg_value_llquantize = { .hist = &llquantize };

/* ---- any histogram ---------------------------------------------------------------- */

static void hist_init(struct hist *h, const struct img_agg *agg)
{
	u32 room = agg_data_words(agg);

	*h = (struct hist){ .shape = agg_ops(agg->func)->value->hist };
	h->shape->init(h, agg->params);
	/* The size of the values is that of the manifest, not of the constants. */
	if (agg->val_size && h->n > room)
		h->n = room;
}

u32 hist_buckets(const struct img_agg *agg)
{
	struct hist h;

	hist_init(&h, agg);
	return h.n;
}

static bool hist_hidden(const struct hist *h, u32 i)
{
	return h->shape->hidden && h->shape->hidden(h, i);
}

static void hist_label(const struct hist *h, u32 i, bool any_neg, char *out, size_t size)
{
	if (h->shape->label)
		h->shape->label(h, i, any_neg, out, size);
	else
		snprintf(out, size, "%" PRId64, (s64)h->shape->weight(h, i));
}

/* ---- buckets as numbers ------------------------------------------------------------ */

/* It ends before the next bucket that can hold a number. */
static s64 hist_last(const struct hist *h, u32 i)
{
	do
		i++;
	while (i < h->n && hist_hidden(h, i));
	return i < h->n ? h->shape->bound(h, i) - 1 : INT64_MAX;
}

bool hist_bounds(const struct img_agg *agg, u32 i, s64 *low, s64 *high)
{
	struct hist h;

	hist_init(&h, agg);
	*low = h.shape->bound(&h, i);
	*high = hist_last(&h, i);
	return !hist_hidden(&h, i) && *low <= *high;
}

void hist_walk(struct hist_walk *w, const struct img_agg *agg, const u64 *data)
{
	hist_init(&w->h, agg);
	w->data = data;
	w->at = 0;
}

bool hist_next(struct hist_walk *w, struct hist_bucket *b)
{
	while (w->at < w->h.n && !w->data[w->at])
		w->at++;
	if (w->at == w->h.n)
		return false;
	b->index = w->at++;
	b->low = w->h.shape->bound(&w->h, b->index);
	b->high = hist_last(&w->h, b->index);
	b->count = (s64)w->data[b->index];
	return true;
}

/* ---- order ----------------------------------------------------------------------- */

/* What it counts as in the order, and its bar is as long as: one that has left 64 bits is the
 * largest. */
static s64 hist_drawn(u64 count)
{
	return (s64)count == AGG_BEYOND ? INT64_MAX : (s64)count;
}

void hist_order(const struct img_agg *agg, const u64 *data, s128 *value, s64 *zero)
{
	struct hist h;

	hist_init(&h, agg);
	*value = *zero = 0;
	for (u32 i = 0; i < h.n; i++) {
		if (!data[i])
			continue;
		s128 w = h.shape->weight(&h, i);

		*value += w * hist_drawn(data[i]);
		if (!w)
			*zero = hist_drawn(data[i]);
	}
}

/* ---- rows ------------------------------------------------------------------------ */

struct hist_rows {
	u32 from, to;            /* inclusive */
	struct hist_scale scale;
};

void hist_scale_add(struct hist_scale *s, s128 count)
{
	long double n = fabsl((long double)count);

	s->total += n;
	s->most = MAX(s->most, n);
	s->pos |= count > 0;
	s->neg |= count < 0;
}

/* The next row that can be shown. */
static u32 hist_below(const struct hist *h, u32 i)
{
	while (i && hist_hidden(h, --i))
		;
	return i;
}

static u32 hist_above(const struct hist *h, u32 i)
{
	while (i < h->n - 1 && hist_hidden(h, ++i))
		;
	return i;
}

/* Shows one more row on each side of those with counts; first is h->n: there are none, and an empty
 * llquantize() shows both above. */
static void hist_edges(const struct hist *h, u32 first, u32 last, u32 *from, u32 *to)
{
	bool empty = first == h->n, above = empty && h->shape->empty_above;

	if (empty)
		first = last = MIN(h->mid, h->n - 1);
	*from = above ? first : hist_below(h, first);
	*to = hist_above(h, last);
	if (above)
		*to = hist_above(h, *to);
}

static void hist_range(const struct hist *h, const u64 *data, struct hist_rows *r)
{
	u32 first = 0, last = h->n - 1;

	while (first < h->n && !data[first])
		first++;
	while (last > 0 && !data[last])
		last--;
	hist_edges(h, first, last, &r->from, &r->to);
	memset(&r->scale, 0, sizeof(r->scale));
	for (u32 i = r->from; i <= r->to; i++)
		hist_scale_add(&r->scale, hist_drawn(data[i]));
}

/* Whole blocks, then the remaining eighths. */
static void bar_blocks(struct buf *out, long double cells, int len)
{
	int whole = cells, eighths = (cells - whole) * 8, i;

	for (i = 0; i < whole && i < len; i++)
		buf_puts(out, "\u2588");
	if (eighths && i++ < len)
		buf_printf(out, "\xe2\x96%c", 0x88 + 8 - eighths);
	buf_pad(out, ' ', len - i);
}

static void hist_bar(const struct hist_scale *s, const struct hist_style *style, s128 count,
		     struct buf *out)
{
	int len = s->neg && s->pos ? BAR_WIDTH / 2 : BAR_WIDTH;
	/* HIST_ZOOM as 19/20: what is half a column stays just that, and is rounded up. */
	long double whole = style->zoom ? s->most * 20 : s->total;
	long double part = fabsl((long double)count) * len * (style->zoom ? 19 : 1);
	long double cells = whole > 0 ? part / whole : 0;
	int n = cells + 0.5L;

	if (s->neg && (!s->pos || count <= 0)) {
		buf_pad(out, ' ', len - n);
		buf_pad(out, '@', n);
		buf_putc(out, '|');
		buf_pad(out, ' ', s->pos ? len : 0);
	} else {
		buf_pad(out, ' ', s->neg ? len : 0);
		buf_putc(out, '|');
		if (style->utf8 && !s->neg) {
			bar_blocks(out, cells, len);
		} else {
			buf_pad(out, '@', n);
			buf_pad(out, ' ', len - n);
		}
	}
	buf_putc(out, ' ');
}

void hist_bar_line(const struct hist_scale *s, const struct hist_style *style, s128 count,
		   s128 shown, struct buf *out)
{
	size_t before;

	hist_bar(s, style, count, out);
	before = out->len;
	buf_wide(out, shown);
	buf_pad(out, ' ', 9 - (int)(out->len - before));
	buf_putc(out, '\n');
}

void hist_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	static const struct hist_style plain;

	hist_render_as(agg, data, norm, &plain, out);
}

struct hist_style hist_style(const struct options *o)
{
	struct hist_style s = { .zoom = o->v[OPT_aggzoom].n, .pack = o->v[OPT_aggpack].n,
				.utf8 = !strcmp(o->v[OPT_encoding].s, "utf8") };

	return s;
}

void hist_label_of(const struct img_agg *agg, u32 i, char *out, size_t size)
{
	struct hist h;

	hist_init(&h, agg);
	hist_label(&h, i, true, out, size);
}

void hist_span(const struct img_agg *agg, const struct agg_value *v, u32 *from, u32 *to)
{
	struct hist h;
	u32 first, last;

	hist_init(&h, agg);
	first = v->nbuckets ? v->buckets[0].index : h.n;
	last = v->nbuckets ? v->buckets[v->nbuckets - 1].index : 0;
	hist_edges(&h, first, last, &first, &last);
	*from = MIN(*from, first);
	*to = MAX(*to, last);
}

void hist_columns(const struct img_agg *agg, int *low, int *high)
{
	const struct hist_shape *shape = agg_ops(agg->func)->value->hist;

	*low = shape->low_cols;
	*high = shape->high_cols;
}

void hist_render_as(const struct img_agg *agg, const u64 *data, s64 norm,
		    const struct hist_style *style, struct buf *out)
{
	struct hist h;
	struct hist_rows r;
	char label[40];

	hist_init(&h, agg);
	hist_range(&h, data, &r);
	buf_printf(out, "\n%16s %41s %-9s\n", "value",
		   "------------- Distribution -------------", "count");
	for (u32 i = r.from; i <= r.to; i++) {
		if (hist_hidden(&h, i))
			continue;
		hist_label(&h, i, r.from < h.mid, label, sizeof(label));
		buf_printf(out, "%16s ", label);
		if ((s64)data[i] == AGG_BEYOND) {
			hist_bar(&r.scale, style, hist_drawn(data[i]), out);
			buf_puts(out, "beyond 64 bits\n");
			continue;
		}
		/* Bars show the plain counts; only the number is normalized. */
		hist_bar_line(&r.scale, style, (s64)data[i], agg_div((s64)data[i], norm),
			      out);
	}
}
