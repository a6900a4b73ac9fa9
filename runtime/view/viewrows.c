/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewrows.c - rows of a view in any order: the best n are found with a heap, so that a page of a
 * large table costs one look at each row.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/view/view-private.h"

#define ROWS_TEXT   160          /* bytes of a key's text */
#define ROWS_FRAMES 3            /* of a stack, in a row */

/* ---- texts of keys ------------------------------------------------------------------------ */

/* The text of a key goes to b. */
struct rows_text {
	struct table *t;
	struct buf *b;
};

static void rows_int(void *arg, const struct val *v)
{
	struct buf *b = ((struct rows_text *)arg)->b;

	if (v->is_ptr)
		buf_printf(b, "0x%" PRIx64, v->u);
	else if (v->is_signed)
		buf_printf(b, "%" PRId64, (s64)v->u);
	else
		buf_printf(b, "%" PRIu64, v->u);
}

/* Bytes that are no text are shown as \xNN. */
static void rows_plain(const char *p, u32 len, struct buf *b)
{
	for (u32 i = 0; i < len && b->len < ROWS_TEXT;) {
		u32 n = utf8_len(p + i, len - i);

		if (!n || (u8)p[i] < 0x20 || p[i] == 0x7f)
			buf_printf(b, "\\x%02x", (u8)p[i]);
		else
			buf_add(b, p + i, n);
		i += MAX(n, 1u);
	}
}

static void rows_str(void *arg, const struct val *v)
{
	rows_plain(v->p, v->len, ((struct rows_text *)arg)->b);
}

static void rows_bytes(void *arg, const struct val *v)
{
	u32 len = v->len;

	while (len && !v->p[len - 1])
		len--;
	rows_plain(v->p, len, ((struct rows_text *)arg)->b);
}

static void rows_stack(void *arg, const struct val *v)
{
	struct rows_text *to = arg;
	struct arena *a = arena_new();
	u32 n = 0;
	const struct frame *f = sym_frames(to->t->run->env, a, v, &n);

	for (u32 i = 0; i < n && i < ROWS_FRAMES; i++)
		buf_printf(to->b, "%s%s", i ? " < " : "", f[i].symbol ? f[i].symbol : f[i].text);
	if (n > ROWS_FRAMES)
		buf_printf(to->b, " < %u more", n - ROWS_FRAMES);
	arena_free(a);
}

static void rows_sym(void *arg, const struct val *v)
{
	struct rows_text *to = arg;

	sym_val(to->t->run->env, v, to->b);
}

static void rows_val(struct table *t, const struct val *v, struct buf *b)
{
	static const struct val_visitor texts = { rows_int, rows_str, rows_bytes, rows_stack,
						  rows_sym };

	val_visit(v, &texts, &(struct rows_text){ t, b });
}

const struct val *table_keys(struct table *t, struct arena *a, u32 id)
{
	if (id >= t->rows.n)
		return NULL;
	if (t->rows.v[id].vals || !t->keys)
		return t->rows.v[id].vals;
	return agg_keys_read(t->keys, a, t->def, keytab_key(t->index, id));
}

void table_widths(const struct table *t, struct view_width *to)
{
	for (u32 i = 0; i < t->rows.n; i++)
		if (t->rows.v[i].seen == t->sample)
			*to++ = (struct view_width){ i, t->rows.v[i].width };
}

static const char *const *rows_texts(struct table *t, struct arena *a, u32 id)
{
	struct table_row *r = &t->rows.v[id];
	const struct val *keys;
	struct buf b = { 0 };

	if (r->keys)
		return r->keys;
	keys = table_keys(t, a, id);
	r->keys = ARENA_ARRAY(t->texts, const char *, MAX(t->def->nkeys, 1u));
	for (u32 k = 0; k < t->def->nkeys; k++) {
		buf_reset(&b);
		buf_add(&b, "", 0);
		if (keys)
			rows_val(t, &keys[k], &b);
		r->keys[k] = arena_strndup(t->texts, b.data, b.len);
	}
	buf_free(&b);
	return r->keys;
}

/* ---- order --------------------------------------------------------------------------------- */

struct rank {
	double number;
	const char *text;        /* or NULL: the number counts */
	u32 id;
};

/* Is a before b? */
static int rank_order(const void *pa, const void *pb, void *arg)
{
	const struct rank *a = pa, *b = pb;
	const struct view_query *q = arg;
	int d;

	if (a->text && b->text)
		d = strcmp(a->text, b->text);
	else
		d = a->number < b->number ? -1 : a->number > b->number;
	if (!q->ascending)
		d = -d;
	return d ? d : a->id < b->id ? -1 : a->id > b->id;
}

/* The heap has the last of the best n at its top. */
static void heap_down(struct rank *v, u32 n, u32 i, const struct view_query *q)
{
	for (;;) {
		u32 most = i;

		for (u32 k = 2 * i + 1; k <= 2 * i + 2 && k < n; k++)
			if (rank_order(&v[k], &v[most], (void *)q) > 0)
				most = k;
		if (most == i)
			return;
		struct rank r = v[i];
		v[i] = v[most];
		v[most] = r;
		i = most;
	}
}

static void heap_up(struct rank *v, u32 i, const struct view_query *q)
{
	while (i && rank_order(&v[i], &v[(i - 1) / 2], (void *)q) > 0) {
		struct rank r = v[i];

		v[i] = v[(i - 1) / 2];
		v[(i - 1) / 2] = r;
		i = (i - 1) / 2;
	}
}

static void heap_add(struct rank *v, u32 *n, u32 room, const struct rank *r,
		     const struct view_query *q)
{
	if (*n < room) {
		v[*n] = *r;
		heap_up(v, (*n)++, q);
	} else if (room && rank_order(r, v, (void *)q) < 0) {
		v[0] = *r;
		heap_down(v, *n, 0, q);
	}
}

/* What is shown of a row, without its keys. */
static struct view_row rows_shown(const struct table_row *r, u32 id)
{
	return (struct view_row){ .id = id, .value = r->num.number,
				  .is_unsigned = r->num.is_unsigned, .beyond = r->num.beyond,
				  .count = r->num.kind == AGG_HISTOGRAM ? r->num.sum : r->num.count,
				  .rate = r->rate, .p50 = r->p50, .p99 = r->p99, .max = r->max,
				  .delta = r->delta, .width = r->width };
}

static struct rank rows_rank(struct table *t, struct arena *a, const struct view_query *q,
			     const struct table_row *row, u32 id)
{
	enum view_what what = t->columns[q->column].what;
	struct rank r = { .id = id };

	if (q->by_width) {
		r.number = row->width;
	} else if (what != VIEW_KEY) {
		struct view_row shown = rows_shown(row, id);

		r.number = view_number(&shown, what);
	} else if (t->def->keys[q->column].type == IMG_INT) {
		const struct val *v = table_keys(t, a, id);

		if (v)
			r.number = v[q->column].is_signed ? (double)(s64)v[q->column].u
							  : (double)v[q->column].u;
	} else {
		r.text = rows_texts(t, a, id)[q->column];
	}
	return r;
}

static bool rows_match(struct table *t, struct arena *a, const char *filter, u32 id)
{
	const char *const *keys;

	if (!filter || !*filter)
		return true;
	keys = rows_texts(t, a, id);
	for (u32 k = 0; k < t->def->nkeys; k++)
		if (strcasestr(keys[k], filter))
			return true;
	return false;
}

/* The rows of a query, one after the other: those of the last sample, or of a part of the time. */
static const struct table_row *rows_next(const struct table *t, const struct table_part *part,
					 u32 *i, u32 *id)
{
	for (; !part && *i < t->rows.n; ++*i)
		if (t->rows.v[*i].seen == t->sample) {
			*id = (*i)++;
			return &t->rows.v[*id];
		}
	if (!part || *i >= part->rows.n)
		return NULL;
	*id = part->ids.v[*i];
	return &part->rows.v[(*i)++];
}

/* What a rank is about: rows of a part are found by halving. */
static const struct table_row *rows_of(const struct table *t, const struct table_part *part, u32 id)
{
	u32 low = 0, high = part ? part->ids.n : 0;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (part->ids.v[mid] < id)
			low = mid + 1;
		else
			high = mid;
	}
	return part ? &part->rows.v[low] : &t->rows.v[id];
}

u32 table_rows(struct table *t, struct arena *a, const struct view_query *q, struct view_row *rows,
	       u32 *matching)
{
	bool whole = !q->to;
	const struct view_part *pub = whole ? NULL : table_part(t, q->from, q->to);
	const struct table_part *part = pub ? t->part : NULL;
	u32 all = whole ? t->pub.nrows : pub ? pub->nrows : 0, n = 0, given = 0, id;
	u32 room = MIN((u64)q->skip + q->n, (u64)all);
	struct rank *heap = xcalloc(room, sizeof(*heap));
	struct arena *work = arena_within(a);
	const struct table_row *row;

	*matching = 0;
	for (u32 i = 0; (whole || part) && (row = rows_next(t, part, &i, &id)); ) {
		if (!rows_match(t, work, q->filter, id))
			continue;
		struct rank r = rows_rank(t, work, q, row, id);

		++*matching;
		heap_add(heap, &n, room, &r, q);
		if (arena_size(work) > 1 << 16)
			arena_clear(work);
	}
	qsort_r(heap, n, sizeof(*heap), rank_order, (void *)q);
	for (u32 i = q->skip; i < n; i++) {
		rows[given] = rows_shown(rows_of(t, part, heap[i].id), heap[i].id);
		rows[given++].keys = rows_texts(t, work, heap[i].id);
	}
	free(heap);
	return given;
}
