/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewheat.c - a heat map: for each span of time, what was added to the buckets of a histogram.
 *
 * When there are VIEW_SPANS, each two neighbours of the older half become one.  So the newest
 * minutes stay exact, and memory is bounded however long a run takes.
 */
#include <stdlib.h>

#include "runtime/view/view.h"

struct heat {
	u32 nbuckets, n;
	struct view_span v[VIEW_SPANS];
	u64 *last;               /* the buckets at the end of the last span */
	s64 *sum;                /* for merging: zeros */
	s64 time;                /* its end */
};

struct heat *heat_new(u32 nbuckets, s64 began)
{
	struct heat *h = xcalloc(1, sizeof(*h));

	h->nbuckets = nbuckets;
	h->time = began;
	h->last = xcalloc(nbuckets, sizeof(*h->last));
	h->sum = xcalloc(nbuckets, sizeof(*h->sum));
	return h;
}

void heat_free(struct heat *h)
{
	if (!h)
		return;
	for (u32 i = 0; i < h->n; i++)
		free((void *)h->v[i].v);
	free(h->last);
	free(h->sum);
	free(h);
}

/* The buckets of h->sum that are not 0; they become 0. */
static void heat_take(struct heat *h, struct view_span *to)
{
	struct view_bucket *v;
	u32 n = 0;

	for (u32 i = 0; i < h->nbuckets; i++)
		n += h->sum[i] != 0;
	v = xmalloc(n * sizeof(*v));
	to->v = v;
	to->n = n;
	for (u32 i = 0; i < h->nbuckets; i++) {
		if (h->sum[i])
			*v++ = (struct view_bucket){ i, h->sum[i] };
		h->sum[i] = 0;
	}
}

static void heat_sum(struct heat *h, const struct view_span *from)
{
	for (u32 i = 0; i < from->n; i++) {
		s64 *to = &h->sum[from->v[i].bucket], n = from->v[i].count;

		if (*to == AGG_BEYOND || n == AGG_BEYOND || __builtin_add_overflow(*to, n, to))
			*to = AGG_BEYOND;
	}
	free((void *)from->v);
}

static void heat_merge(struct heat *h)
{
	u32 half = VIEW_SPANS / 2, to = 0;

	for (u32 i = 0; i < half; i += 2) {
		struct view_span both = { .from = h->v[i].from, .to = h->v[i + 1].to };

		heat_sum(h, &h->v[i]);
		heat_sum(h, &h->v[i + 1]);
		heat_take(h, &both);
		h->v[to++] = both;
	}
	memmove(h->v + to, h->v + half, (VIEW_SPANS - half) * sizeof(*h->v));
	h->n = to + VIEW_SPANS - half;
}

/* Nothing is more than a count that has left 64 bits. */
static bool heat_less(u64 now, u64 before)
{
	if ((s64)now == AGG_BEYOND || (s64)before == AGG_BEYOND)
		return (s64)now != AGG_BEYOND;
	return (s64)now < (s64)before;
}

/* What was added; AGG_BEYOND: that is not known. */
static s64 heat_more(u64 now, u64 before)
{
	s64 more;

	if (now == before)
		return 0;
	if ((s64)now == AGG_BEYOND || __builtin_sub_overflow((s64)now, (s64)before, &more))
		return AGG_BEYOND;
	return more;
}

/* A bucket has less than before: the program has cleared it, and what it has now is new. */
void heat_add(struct heat *h, const u64 *buckets, s64 now)
{
	bool cleared = false;

	if (h->n == VIEW_SPANS)
		heat_merge(h);           /* it needs h->sum itself */
	for (u32 i = 0; i < h->nbuckets; i++)
		cleared |= heat_less(buckets[i], h->last[i]);
	for (u32 i = 0; i < h->nbuckets; i++)
		h->sum[i] = heat_more(buckets[i], cleared ? 0 : h->last[i]);
	h->v[h->n] = (struct view_span){ .from = h->time, .to = now };
	heat_take(h, &h->v[h->n++]);
	memcpy(h->last, buckets, h->nbuckets * sizeof(*buckets));
	h->time = now;
}

const struct view_span *heat_spans(const struct heat *h, u32 *n)
{
	*n = h->n;
	return h->v;
}

/* Their state at a time, from which the next differences count. */
void heat_begin(struct heat *h, const u64 *buckets, s64 now)
{
	memcpy(h->last, buckets, h->nbuckets * sizeof(*buckets));
	h->time = now;
}

const u64 *heat_buckets(const struct heat *h)
{
	return h->last;
}

static s64 heat_longest(const struct view_span *v, u32 n)
{
	s64 longest = 1;

	for (u32 i = 0; i < n; i++)
		longest = MAX(longest, v[i].to - v[i].from);
	return longest;
}

double heat_cells(const struct view_span *v, u32 n, u32 from, u32 per, u32 lines, double *cells)
{
	const double beyond = (double)INT64_MAX;         /* of a count that has left 64 bits */
	s64 longest = heat_longest(v, n);
	double most = 0;

	for (u32 c = 0; c < n; c++) {
		double *column = cells + c * lines;
		double times = (double)longest / MAX(v[c].to - v[c].from, 1);

		memset(column, 0, lines * sizeof(*column));
		for (u32 k = 0; k < v[c].n; k++) {
			const struct view_bucket *b = &v[c].v[k];

			column[(b->bucket - from) / per] +=
				b->count == AGG_BEYOND ? beyond : b->count * times;
		}
		for (u32 i = 0; i < lines; i++) {
			column[i] = MIN(column[i], beyond);
			most = MAX(most, column[i]);
		}
	}
	return most;
}
