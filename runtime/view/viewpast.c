/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewpast.c - the past of an aggregation: for each span of time between two samples, what was
 * added to which rows.  So a part of the time has a table and a flame graph of its own.
 *
 * A span is a list of entries in the order of the rows' ids, packed as variable-length numbers: the
 * distance to the id before, how many words have changed, and for each its distance and what was
 * added to it.  There is one operation on lists, joining two: it asks for a part of the time, and
 * it folds the past.  That is done as in heat maps, so the spans are the same: of VIEW_SPANS, each
 * two neighbours of the older half become one.  It is also done when the lists have more bytes than
 * they may; then spans are longer than those of the heat map.
 *
 * Of the smallest and the largest value nothing can be subtracted: these have no past
 * (docs/decisions/46-past.md).
 */
#include <stdlib.h>

#include <dtx/aggs.h>

#include "runtime/value/value.h"
#include "runtime/view/past.h"

#define PAST_FEWEST  8           /* spans that stay, however many bytes they have */

struct past {
	const struct img_agg *def;
	const struct agg_merge *ops;
	u32 nwords;
	bool falls, counts;
	size_t bytes, most;              /* of all lists; that they may have */
	VEC(struct past_span) spans;
	s64 time;                        /* the end of the last one */
	/* The sample that is read now: */
	VEC(u8 *) last;                  /* by id: the words at the last sample, packed, or NULL */
	struct past_entry { u32 id, at, len; } *entries;
	u32 n, room;
	struct buf text;                 /* of the entries, without their ids */
	struct past_span now;
	bool guesses;            /* a row that has less than before was cleared */
	u64 *words, *before;
	struct buf packed;
};

struct past *past_new(const struct img_agg *def, s64 began, size_t most)
{
	struct past *p;

	if (!agg_ops(def->func)->merge->subtract)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->def = def;
	p->ops = agg_ops(def->func)->merge;
	p->nwords = agg_data_words(def);
	p->falls = agg_has(def, AGGF_FALLS);
	p->counts = agg_has(def, AGGF_COUNTS);
	p->most = most;
	p->time = began;
	p->words = xcalloc(p->nwords, sizeof(u64));
	p->before = xcalloc(p->nwords, sizeof(u64));
	return p;
}

void past_free(struct past *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < p->spans.n; i++)
		buf_free(&p->spans.v[i].rows);
	for (u32 i = 0; i < p->last.n; i++)
		free(p->last.v[i]);
	VEC_FREE(&p->spans);
	VEC_FREE(&p->last);
	buf_free(&p->text);
	buf_free(&p->packed);
	free(p->entries);
	free(p->words);
	free(p->before);
	free(p);
}

/* ---- packed numbers ------------------------------------------------------------------- */

/* Small numbers of both signs are short. */
static u64 folded_sign(u64 v)
{
	return v << 1 ^ (u64)((s64)v >> 63);
}

static u64 unfolded_sign(u64 v)
{
	return v >> 1 ^ (0 - (v & 1));
}

/* The words that are not 0; how many of them there are comes first. */
static void pack_words(struct buf *b, const u64 *words, u32 n)
{
	u32 some = 0, after = 0;

	for (u32 i = 0; i < n; i++)
		some += words[i] != 0;
	buf_varint(b, some);
	for (u32 i = 0; i < n; i++) {
		if (!words[i])
			continue;
		buf_varint(b, i - after);
		buf_varint(b, folded_sign(words[i]));
		after = i + 1;
	}
}

/* Sets those that are not 0. */
static const u8 *unpack_words(const u8 *at, u64 *words)
{
	u32 i = 0;

	for (u64 n = varint_get(&at); n; n--) {
		i += (u32)varint_get(&at);
		words[i++] = unfolded_sign(varint_get(&at));
	}
	return at;
}

static const u8 *skip_words(const u8 *at)
{
	for (u64 n = 2 * varint_get(&at); n; n--)
		varint_get(&at);
	return at;
}

/* ---- a list of rows --------------------------------------------------------------------- */

struct past_reader {
	const u8 *at, *end, *words;      /* words: of the entry */
	u32 id;                          /* UINT32_MAX: there is no entry left */
};

static void reader_next(struct past_reader *r, u32 from)
{
	if (r->at >= r->end) {
		r->id = UINT32_MAX;
		return;
	}
	r->id = from + (u32)varint_get(&r->at);
	r->words = r->at;
	r->at = skip_words(r->at);
}

static struct past_reader reader_of(const struct buf *list)
{
	const u8 *data = (const u8 *)list->data;
	struct past_reader r = { .at = data, .end = data + list->len };

	reader_next(&r, 0);
	return r;
}

/* The joined list has each row once. */
static void past_join_rows(struct past *p, const struct buf *a, const struct buf *b, struct buf *to)
{
	struct past_reader x = reader_of(a), y = reader_of(b);
	u32 after = 0;

	while (x.id != UINT32_MAX || y.id != UINT32_MAX) {
		u32 id = MIN(x.id, y.id);

		buf_varint(to, id - after);
		if (x.id == y.id) {
			memset(p->words, 0, p->nwords * sizeof(u64));
			memset(p->before, 0, p->nwords * sizeof(u64));
			unpack_words(x.words, p->words);
			unpack_words(y.words, p->before);
			p->ops->add(p->def, p->words, p->before);
			pack_words(to, p->words, p->nwords);
		} else {
			const struct past_reader *one = x.id == id ? &x : &y;

			buf_add(to, (const char *)one->words, one->at - one->words);
		}
		after = id + 1;
		if (x.id == id)
			reader_next(&x, after);
		if (y.id == id)
			reader_next(&y, after);
	}
}

static struct past_span past_join(struct past *p, const struct past_span *a,
				  const struct past_span *b)
{
	struct past_span to = { .from = a->from, .to = b->to, .amount = a->amount + b->amount,
				.forgotten = a->forgotten + b->forgotten,
				.cleared = a->cleared || b->cleared };

	past_join_rows(p, &a->rows, &b->rows, &to.rows);
	return to;
}

/* ---- folding ------------------------------------------------------------------------------ */

static void past_fold(struct past *p)
{
	u32 half = p->spans.n / 2 & ~1u, to = 0;

	for (u32 i = 0; i < half; i += 2) {
		struct past_span both = past_join(p, &p->spans.v[i], &p->spans.v[i + 1]);

		p->bytes += both.rows.len;
		for (u32 k = i; k < i + 2; k++) {
			p->bytes -= p->spans.v[k].rows.len;
			buf_free(&p->spans.v[k].rows);
		}
		p->spans.v[to++] = both;
	}
	memmove(p->spans.v + to, p->spans.v + half, (p->spans.n - half) * sizeof(*p->spans.v));
	p->spans.n -= half - to;
}

static void past_push(struct past *p, const struct past_span *s)
{
	if (p->spans.n == VIEW_SPANS)
		past_fold(p);
	VEC_PUSH(&p->spans, *s);
	p->bytes += s->rows.len;
	while (p->bytes > p->most && p->spans.n > PAST_FEWEST)
		past_fold(p);
}

/* ---- a sample --------------------------------------------------------------------------- */

/* Sums of negative values, and buckets with a negative weight, fall without being cleared; how many
 * values there were does not. */
static bool past_less(const struct past *p)
{
	if (!p->guesses || p->falls)
		return false;
	if (p->counts)
		return p->words[0] < p->before[0];
	for (u32 i = 0; i < p->nwords; i++)
		if ((s64)(p->words[i] - p->before[i]) < 0)
			return true;
	return false;
}

void past_row(struct past *p, u32 id, const u64 *data, bool known, s64 amount)
{
	u8 *old;

	while (p->last.n <= id)
		VEC_PUSH(&p->last, NULL);
	old = p->last.v[id];
	buf_reset(&p->packed);
	pack_words(&p->packed, data, p->nwords);
	p->now.amount += amount;
	if (old && known && (size_t)(skip_words(old) - old) == p->packed.len &&
	    !memcmp(old, p->packed.data, p->packed.len))
		return;
	memcpy(p->words, data, p->nwords * sizeof(u64));
	memset(p->before, 0, p->nwords * sizeof(u64));
	if (old && known) {
		unpack_words(old, p->before);
		if (past_less(p))
			p->now.cleared = true;
		else
			p->ops->subtract(p->def, p->words, p->before);
	}
	p->last.v[id] = xrealloc(old, p->packed.len);
	memcpy(p->last.v[id], p->packed.data, p->packed.len);
	if (p->n == p->room) {
		p->room = MAX(2 * p->room, 64u);
		p->entries = xrealloc(p->entries, p->room * sizeof(*p->entries));
	}
	u32 at = p->text.len;
	pack_words(&p->text, p->words, p->nwords);
	p->entries[p->n++] = (struct past_entry){ id, at, p->text.len - at };
}

static int past_by_id(const void *a, const void *b)
{
	u32 x = ((const struct past_entry *)a)->id, y = ((const struct past_entry *)b)->id;

	return x < y ? -1 : x > y;
}

void past_begin(struct past *p, bool cleared, bool known)
{
	p->now.cleared |= cleared;
	p->guesses = cleared || !known;
}

void past_end(struct past *p, s64 now)
{
	struct past_span *s = &p->now;
	u32 after = 0;

	s->from = p->time;
	s->to = p->time = now;
	qsort(p->entries, p->n, sizeof(*p->entries), past_by_id);
	for (u32 i = 0; i < p->n; i++) {
		const struct past_entry *e = &p->entries[i];

		if (p->text.data[e->at] == 0)
			continue;                /* it is new, and nothing was added */
		buf_varint(&s->rows, e->id - after);
		buf_add(&s->rows, p->text.data + e->at, e->len);
		after = e->id + 1;
	}
	past_push(p, s);
	*s = (struct past_span){ 0 };
	p->n = 0;
	buf_reset(&p->text);
}

/* ---- other ids --------------------------------------------------------------------------- */

static void past_renumber_span(struct past *p, struct past_span *s, const u32 *ids)
{
	struct buf rows = { 0 };
	struct past_reader r = reader_of(&s->rows);
	u32 after = 0;

	for (u32 id; (id = r.id) != UINT32_MAX; reader_next(&r, id + 1)) {
		if (ids[id] == UINT32_MAX) {
			s->forgotten++;
			continue;
		}
		buf_varint(&rows, ids[id] - after);
		buf_add(&rows, (const char *)r.words, r.at - r.words);
		after = ids[id] + 1;
	}
	p->bytes += rows.len - s->rows.len;
	buf_free(&s->rows);
	s->rows = rows;
}

void past_renumber(struct past *p, const u32 *ids, u32 n)
{
	u32 kept = 0;

	for (u32 i = 0; i < p->spans.n; i++)
		past_renumber_span(p, &p->spans.v[i], ids);
	for (u32 i = 0; i < MIN(n, p->last.n); i++) {
		if (ids[i] == UINT32_MAX)
			free(p->last.v[i]);
		else
			p->last.v[kept++] = p->last.v[i];        /* ids[i] is kept */
	}
	p->last.n = kept;
}

/* ---- asking -------------------------------------------------------------------------------- */

u32 past_words(const struct past *p)
{
	return p->nwords;
}

const struct past_span *past_spans(const struct past *p, u32 *n)
{
	*n = p->spans.n;
	return p->spans.v;
}

/* Joins neighbours, then those that came of it, until one is left. */
static struct past_span past_join_all(struct past *p, const struct past_span *v, u32 n)
{
	struct past_span *all = xcalloc(n, sizeof(*all));

	for (u32 i = 0; i < n; i++) {
		all[i] = v[i];
		all[i].rows = (struct buf){ 0 };
		buf_add(&all[i].rows, v[i].rows.data ? v[i].rows.data : "", v[i].rows.len);
	}
	for (; n > 1; n = (n + 1) / 2)
		for (u32 i = 0; i < n; i += 2) {
			struct past_span a = all[i];

			if (i + 1 == n) {
				all[i / 2] = a;
				break;
			}
			all[i / 2] = past_join(p, &a, &all[i + 1]);
			buf_free(&a.rows);
			buf_free(&all[i + 1].rows);
		}
	struct past_span one = all[0];

	free(all);
	return one;
}

bool past_part(struct past *p, s64 from, s64 to, struct past_span *part)
{
	u32 first = UINT32_MAX, n = 0;

	for (u32 i = 0; i < p->spans.n; i++) {
		const struct past_span *s = &p->spans.v[i];
		s64 middle = s->from + (s->to - s->from) / 2;

		if (middle < from || middle >= to)
			continue;
		first = n ? first : i;
		n++;
	}
	for (u32 i = 0; !n && i < p->spans.n; i++)       /* a part of a long one */
		if (p->spans.v[i].to > from + (to - from) / 2) {
			first = i;
			n = 1;
		}
	if (!n)
		return false;
	*part = past_join_all(p, p->spans.v + first, n);
	return true;
}

u32 past_next(const struct past *p, const struct past_span *s, size_t *at, u32 *after, u64 *words)
{
	const u8 *data = (const u8 *)s->rows.data;
	struct past_reader r = { .at = data + *at, .end = data + s->rows.len };

	if (*at >= s->rows.len)
		return UINT32_MAX;
	reader_next(&r, *after);
	*at = (const char *)r.at - s->rows.data;
	*after = r.id + 1;
	memset(words, 0, p->nwords * sizeof(u64));
	unpack_words(r.words, words);
	return r.id;
}

struct past *past_folded(const struct past *p, size_t most)
{
	struct past *to = past_new(p->def, p->time, most);

	for (u32 i = 0; i < p->spans.n; i++) {
		struct past_span s = p->spans.v[i];

		s.rows = (struct buf){ 0 };
		buf_add(&s.rows, p->spans.v[i].rows.data ? p->spans.v[i].rows.data : "",
			p->spans.v[i].rows.len);
		past_push(to, &s);
	}
	return to;
}
