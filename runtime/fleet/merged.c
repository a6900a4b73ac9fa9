/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merged.c - the rows of several hosts in one table: equal keys are one row, whose values are merged
 * as those of CPUs are (the column `merge` of aggs.def).
 *
 * A key is kept as a few bytes: numbers of seven bits, texts, and numbers of words and frames.
 * Stacks and symbols are the same if their texts are, since each machine has its own addresses.
 */
#include <stdlib.h>

#include "runtime/fleet/merge.h"

/* ---- words and frames ------------------------------------------------------------------- */

struct texts {
	struct arena *arena;
	struct map *words, *frames;      /* text -> number + 1 */
	VEC(const char *) word;
	VEC(struct frame) frame;
	struct buf tmp;
};

struct texts *texts_new(void)
{
	struct texts *t = xcalloc(1, sizeof(*t));

	t->arena = arena_new();
	t->words = map_new_of_kept();
	t->frames = map_new();
	return t;
}

void texts_free(struct texts *t)
{
	if (!t)
		return;
	map_free(t->words);
	map_free(t->frames);
	VEC_FREE(&t->word);
	VEC_FREE(&t->frame);
	buf_free(&t->tmp);
	arena_free(t->arena);
	free(t);
}

static u32 text_number(struct texts *t, const char *s)
{
	uintptr_t at = (uintptr_t)map_get(t->words, s);

	if (at)
		return (u32)at - 1;
	s = arena_strdup(t->arena, s);
	VEC_PUSH(&t->word, s);
	map_set(t->words, s, (void *)(uintptr_t)t->word.n);
	return t->word.n - 1;
}

static const char *text_kept(struct texts *t, const char *s)
{
	return s ? t->word.v[text_number(t, s)] : NULL;
}

/* Its address is left out: it is that of one machine. */
static u32 frame_number(struct texts *t, const struct frame *f)
{
	const char *parts[] = { f->text, f->symbol, f->object, f->file };
	uintptr_t at;

	buf_reset(&t->tmp);
	for (u32 i = 0; i < ARRAY_SIZE(parts); i++)
		buf_printf(&t->tmp, "%u ", parts[i] ? text_number(t, parts[i]) + 1 : 0);
	buf_printf(&t->tmp, "%llu %u %d", (unsigned long long)f->offset, f->line, f->inlined);
	at = (uintptr_t)map_get(t->frames, t->tmp.data);
	if (at)
		return (u32)at - 1;
	struct frame kept = { .text = text_kept(t, f->text), .symbol = text_kept(t, f->symbol),
			      .offset = f->offset, .object = text_kept(t, f->object),
			      .file = text_kept(t, f->file), .line = f->line,
			      .inlined = f->inlined };

	VEC_PUSH(&t->frame, kept);
	map_set(t->frames, t->tmp.data, (void *)(uintptr_t)t->frame.n);
	return t->frame.n - 1;
}

/* ---- keys ------------------------------------------------------------------------------- */

struct keyset {
	struct texts *texts;
	const struct img_agg *def;
	struct buf bytes;        /* of all keys */
	VEC(u32) from;           /* where each begins */
	u32 *slots, nslots;      /* number + 1 */
	struct buf key;
};

struct keyset *keyset_new(struct texts *texts, const struct img_agg *def)
{
	struct keyset *ks = xcalloc(1, sizeof(*ks));

	ks->texts = texts;
	ks->def = def;
	return ks;
}

void keyset_free(struct keyset *ks)
{
	if (!ks)
		return;
	buf_free(&ks->bytes);
	buf_free(&ks->key);
	VEC_FREE(&ks->from);
	free(ks->slots);
	free(ks);
}

u32 keyset_count(const struct keyset *ks)
{
	return ks->from.n;
}

size_t keyset_bytes(const struct keyset *ks)
{
	return ks->bytes.cap + (ks->from.cap + (size_t)ks->nslots) * sizeof(u32);
}

static void key_int(void *arg, const struct val *v)
{
	buf_varint(&((struct keyset *)arg)->key, v->u);
}

static void key_text(void *arg, const struct val *v)
{
	struct buf *b = &((struct keyset *)arg)->key;

	buf_varint(b, v->null ? 0 : v->len + 1ull);
	if (!v->null)
		buf_add(b, v->p, v->len);
}

static void key_stack(void *arg, const struct val *v)
{
	struct keyset *ks = arg;

	buf_varint(&ks->key, v->end);
	buf_varint(&ks->key, v->nframes);
	for (u32 i = 0; i < v->nframes; i++)
		buf_varint(&ks->key, frame_number(ks->texts, &v->frames[i]));
}

static void key_sym(void *arg, const struct val *v)
{
	struct keyset *ks = arg;

	buf_varint(&ks->key, text_number(ks->texts, v->text ? v->text : ""));
}

static const u8 *key_at(const struct keyset *ks, u32 i, u32 *len)
{
	u32 end = i + 1 < ks->from.n ? ks->from.v[i + 1] : (u32)ks->bytes.len;

	*len = end - ks->from.v[i];
	return (u8 *)ks->bytes.data + ks->from.v[i];
}

static u32 keyset_slot(const struct keyset *ks, const void *key, u32 len)
{
	u32 mask = ks->nslots - 1, i = hash_bytes(key, len) & mask, n;

	while (ks->slots[i]) {
		const u8 *p = key_at(ks, ks->slots[i] - 1, &n);

		if (n == len && !memcmp(p, key, len))
			break;
		i = (i + 1) & mask;
	}
	return i;
}

static void keyset_grow(struct keyset *ks)
{
	u32 n = ks->from.n, len;

	ks->nslots = MAX(64u, ks->nslots * 2);
	free(ks->slots);
	ks->slots = xcalloc(ks->nslots, sizeof(u32));
	for (u32 i = 0; i < n; i++) {
		const u8 *p = key_at(ks, i, &len);

		ks->slots[keyset_slot(ks, p, len)] = i + 1;
	}
}

u32 keyset_put(struct keyset *ks, const struct val *keys)
{
	static const struct val_visitor visitor = { key_int, key_text, key_text, key_stack,
						    key_sym };
	u32 slot;

	buf_reset(&ks->key);
	buf_add(&ks->key, "", 0);
	for (u32 k = 0; k < ks->def->nkeys; k++)
		val_visit(&keys[k], &visitor, ks);
	if (2 * ks->from.n >= ks->nslots)
		keyset_grow(ks);
	slot = keyset_slot(ks, ks->key.data, (u32)ks->key.len);
	if (!ks->slots[slot]) {
		VEC_PUSH(&ks->from, (u32)ks->bytes.len);
		buf_add(&ks->bytes, ks->key.data, ks->key.len);
		ks->slots[slot] = ks->from.n;
	}
	return ks->slots[slot] - 1;
}

/* Of bytes that were made above. */
static u64 key_number(const u8 **p)
{
	u64 v = 0;

	for (u32 shift = 0;; shift += 7) {
		u8 c = *(*p)++;

		v |= (u64)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
}

static void read_stack(const struct keyset *ks, struct arena *a, const u8 **p, struct val *v)
{
	struct frame *f;

	v->end = (u32)key_number(p);
	v->nframes = (u32)key_number(p);
	v->frames = f = ARENA_ARRAY(a, struct frame, v->nframes + 1);
	for (u32 i = 0; i < v->nframes; i++)
		f[i] = ks->texts->frame.v[key_number(p)];
}

static void read_text(struct arena *a, const u8 **p, struct val *v)
{
	u64 n = key_number(p);
	char *to = arena_alloc(a, MAX((size_t)v->size, n) + 1);

	v->null = !n;
	v->len = n ? (u32)(n - 1) : 0;
	v->p = memcpy(to, *p, v->len);
	*p += v->len;
}

/* One field of a key. */
static void read_field(const struct keyset *ks, struct arena *a, const struct img_field *f,
		       const u8 **p, struct val *v)
{
	static const u8 kinds[] = {
		[IMG_INT] = VAL_INT, [IMG_STR] = VAL_STR, [IMG_BYTES] = VAL_BYTES,
		[IMG_STACK] = VAL_STACK, [IMG_SYM] = VAL_SYM,
	};

	*v = (struct val){ .kind = kinds[f->type], .size = f->size, .field = f,
			   .is_signed = f->is_signed, .is_char = f->is_char, .is_ptr = f->is_ptr,
			   .user = f->user, .symkind = f->symkind, .ctype = f->ctype,
			   .shared = true };
	switch (v->kind) {
	case VAL_INT:
		v->u = key_number(p);
		v->names = f->obj && f->obj->kind == T_ENUM ? f->obj : NULL;
		break;
	case VAL_STR:
	case VAL_BYTES:
		read_text(a, p, v);
		break;
	case VAL_STACK:
		read_stack(ks, a, p, v);
		break;
	case VAL_SYM:
		v->text = ks->texts->word.v[key_number(p)];
		break;
	}
}

static struct val *keyset_read(const struct keyset *ks, struct arena *a, u32 i)
{
	struct val *v = ARENA_ARRAY(a, struct val, ks->def->nkeys + 1);
	u32 len;
	const u8 *p = key_at(ks, i, &len);

	for (u32 k = 0; k < ks->def->nkeys; k++)
		read_field(ks, a, &ks->def->keys[k], &p, &v[k]);
	return v;
}

/* ---- rows --------------------------------------------------------------------------------- */

struct merged {
	struct keyset *keys;
	bool own;
	const struct img_agg **aggs;
	const struct agg_ops **ops;
	u32 *at;                 /* where the words of each begin in a row */
	s64 *norm;               /* 0: none yet */
	bool *mixed;
	u32 naggs, stride;
	u32 n, cap;              /* rows: those of the keys */
	u64 *data;
	u8 *has;                 /* n * naggs: does it have the key? */
};

struct merged *merged_new(struct texts *texts, struct keyset *keys,
			const struct img_agg *const *aggs, u32 naggs)
{
	struct merged *t = xcalloc(1, sizeof(*t));

	t->own = !keys;
	t->keys = keys ? keys : keyset_new(texts, aggs[0]);
	t->naggs = naggs;
	t->aggs = xcalloc(naggs, sizeof(*t->aggs));
	t->ops = xcalloc(naggs, sizeof(*t->ops));
	t->at = xcalloc(naggs, sizeof(*t->at));
	t->norm = xcalloc(naggs, sizeof(*t->norm));
	t->mixed = xcalloc(naggs, sizeof(*t->mixed));
	for (u32 i = 0; i < naggs; i++) {
		t->aggs[i] = aggs[i];
		t->ops[i] = agg_ops(aggs[i]->func);
		t->at[i] = t->stride;
		t->stride += agg_data_words(aggs[i]);
	}
	return t;
}

void merged_free(struct merged *t)
{
	if (!t)
		return;
	if (t->own)
		keyset_free(t->keys);
	free(t->aggs);
	free(t->ops);
	free(t->at);
	free(t->norm);
	free(t->mixed);
	free(t->data);
	free(t->has);
	free(t);
}

struct keyset *merged_keys(struct merged *t)
{
	return t->keys;
}

void merged_clear(struct merged *t)
{
	memset(t->data, 0, (size_t)t->n * t->stride * sizeof(u64));
	memset(t->has, 0, (size_t)t->n * t->naggs);
	memset(t->norm, 0, t->naggs * sizeof(*t->norm));
	memset(t->mixed, 0, t->naggs * sizeof(*t->mixed));
}

static void merged_room(struct merged *t, u32 n)
{
	size_t was = t->n;

	if (n <= t->n)
		return;
	if (n > t->cap) {
		t->cap = MAX(64u, MAX(n, t->cap + t->cap / 2));
		t->data = xrealloc(t->data, (size_t)t->cap * t->stride * sizeof(u64));
		t->has = xrealloc(t->has, (size_t)t->cap * t->naggs);
	}
	memset(t->data + was * t->stride, 0, (n - was) * t->stride * sizeof(u64));
	memset(t->has + was * t->naggs, 0, (n - was) * t->naggs);
	t->n = n;
}

static const u64 *row_words(const struct merged *t, u32 key, u32 i)
{
	return t->data + (size_t)key * t->stride + t->at[i];
}

void merged_norm(struct merged *t, u32 i, s64 norm)
{
	if (t->norm[i] && t->norm[i] != norm)
		t->mixed[i] = true;
	t->norm[i] = norm;
}

void merged_add(struct merged *t, u32 key, u32 i, const u64 *words)
{
	merged_room(t, key + 1);
	t->has[(size_t)key * t->naggs + i] = 1;
	t->ops[i]->merge->add(t->aggs[i], t->data + (size_t)key * t->stride + t->at[i], words);
}

void merged_add_rows(struct merged *t, const struct agg_print *p)
{
	for (u32 r = 0; r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);
		u32 key = keyset_put(t->keys, row->keys);

		for (u32 i = 0; i < t->naggs; i++) {
			if (row[i].none)
				continue;
			merged_norm(t, i, row[i].norm);
			merged_add(t, key, i, row[i].data);
		}
	}
}

void merged_add_table(struct merged *t, struct merged *from)
{
	struct arena *a = arena_new();

	for (u32 i = 0; i < t->naggs; i++) {
		if (from->norm[i])
			merged_norm(t, i, from->norm[i]);
		t->mixed[i] |= from->mixed[i];
	}
	for (u32 r = 0; r < from->n; r++) {
		u32 key = keyset_put(t->keys, keyset_read(from->keys, a, r));

		for (u32 i = 0; i < t->naggs; i++)
			if (from->has[(size_t)r * t->naggs + i])
				merged_add(t, key, i, row_words(from, r, i));
		arena_clear(a);
	}
	arena_free(a);
}

const struct img_agg *merged_mixed(const struct merged *t)
{
	for (u32 i = 0; i < t->naggs; i++)
		if (t->mixed[i])
			return t->aggs[i];
	return NULL;
}

/* ---- order: the agg* options, as in runtime/value/aggrow.c --------------------------------- */

struct rank {
	s128 value;
	s64 zero;
};

struct order {
	const struct merged *t;
	struct arena *a;         /* of keys that are compared */
	bool by_key, reverse;
	u32 key_first, first;
	const struct rank *ranks;        /* naggs for each key */
};

static int compare_stacks(const struct val *a, const struct val *b)
{
	int d = 0;

	for (u32 i = 0; !d && i < a->nframes && i < b->nframes; i++)
		d = strcmp(a->frames[i].text, b->frames[i].text);
	return d ? d : a->nframes < b->nframes ? -1 : a->nframes > b->nframes;
}

/* Integers as unsigned numbers of their size, texts by their bytes. */
static int compare_field(const struct val *a, const struct val *b)
{
	u64 mask = a->size < 8 ? (1ull << 8 * a->size) - 1 : ~0ull;
	int d;

	switch (a->kind) {
	case VAL_INT:
		return (a->u & mask) < (b->u & mask) ? -1 : (a->u & mask) > (b->u & mask);
	case VAL_STACK:
		return compare_stacks(a, b);
	case VAL_SYM:
		return strcmp(a->text, b->text);
	default:
		d = memcmp(a->p, b->p, MIN(a->len, b->len));
		return d ? d : a->len < b->len ? -1 : a->len > b->len;
	}
}

static int compare_keys(const struct order *o, u32 x, u32 y)
{
	u32 n = o->t->aggs[0]->nkeys;
	const struct val *a, *b;
	int d = 0;

	arena_clear(o->a);
	a = keyset_read(o->t->keys, o->a, x);
	b = keyset_read(o->t->keys, o->a, y);
	for (u32 k = 0; k < n && !d; k++)
		d = compare_field(&a[(k + o->key_first) % n], &b[(k + o->key_first) % n]);
	return d;
}

static int compare_values(const struct order *o, u32 x, u32 y)
{
	u32 n = o->t->naggs;
	const struct rank *a = o->ranks + (size_t)x * n, *b = o->ranks + (size_t)y * n;

	for (u32 i = 0; i < n; i++) {
		u32 k = (i + o->first) % n;

		if (a[k].value != b[k].value)
			return a[k].value < b[k].value ? -1 : 1;
		if (a[k].zero != b[k].zero)
			return a[k].zero < b[k].zero ? -1 : 1;
	}
	return 0;
}

static int compare_rows(const void *pa, const void *pb, void *arg)
{
	const struct order *o = arg;
	u32 x = *(const u32 *)pa, y = *(const u32 *)pb;
	int d = o->by_key ? compare_keys(o, x, y) : compare_values(o, x, y);

	if (!d)
		d = o->by_key ? compare_values(o, x, y) : compare_keys(o, x, y);
	return o->reverse ? -d : d;
}

/* What a key that it does not have prints as. */
static u64 *words_of_none(const struct merged *t, struct arena *a, u32 i)
{
	u64 *words = ARENA_ARRAY(a, u64, agg_data_words(t->aggs[i]) + 1);

	words[0] = t->ops[i]->value->none;
	return words;
}

static struct rank *make_ranks(const struct merged *t, const u64 *const *none)
{
	struct rank *ranks = xcalloc((size_t)t->n * t->naggs + 1, sizeof(*ranks));

	for (u32 r = 0; r < t->n; r++)
		for (u32 i = 0; i < t->naggs; i++) {
			struct rank *to = &ranks[(size_t)r * t->naggs + i];
			bool has = t->has[(size_t)r * t->naggs + i];
			const u64 *words = has ? row_words(t, r, i) : none[i];

			if (t->ops[i]->value->hist)
				hist_order(t->aggs[i], words, &to->value, &to->zero);
			else
				to->value = t->ops[i]->value->number(t->aggs[i], words, 1);
		}
	return ranks;
}

static void sort_rows(const struct merged *t, const struct agg_opts *opts, const u64 *const *none,
		      u32 *rows, u32 n)
{
	struct rank *ranks = make_ranks(t, none);
	struct order o = {
		.t = t, .a = arena_new(), .ranks = ranks, .by_key = opts->by_key,
		.reverse = opts->reverse,
		.key_first = opts->key_first < t->aggs[0]->nkeys ? opts->key_first : 0,
		.first = opts->first < t->naggs ? opts->first : 0,
	};

	qsort_r(rows, n, sizeof(*rows), compare_rows, &o);
	arena_free(o.a);
	free(ranks);
}

/* ---- printing ------------------------------------------------------------------------------ */

struct agg_rows {
	const struct merged *t;
	const u32 *key;          /* of each row */
	const u64 **none;        /* for each aggregation */
	struct arena *decoded;
	u32 at;                  /* the row made last + 1 */
	struct agg_row row[];
};

static const struct agg_row *merged_row(const struct agg_print *p, u32 at)
{
	struct agg_rows *rs = p->rows;
	const struct merged *t = rs->t;
	u32 key = rs->key[at];

	if (rs->at == at + 1)
		return rs->row;
	arena_clear(rs->decoded);
	struct val *keys = keyset_read(t->keys, rs->decoded, key);

	for (u32 i = 0; i < t->naggs; i++) {
		bool has = t->has[(size_t)key * t->naggs + i];

		rs->row[i] = (struct agg_row){
			.keys = keys, .data = has ? row_words(t, key, i) : rs->none[i],
			.norm = t->norm[i] && !t->mixed[i] ? t->norm[i] : 1, .none = !has,
		};
	}
	rs->at = at + 1;
	return rs->row;
}

static u32 rows_there(const struct merged *t, u32 *rows)
{
	u32 n = 0;

	for (u32 r = 0; r < t->n; r++)
		if (memchr(t->has + (size_t)r * t->naggs, 1, t->naggs))
			rows[n++] = r;
	return n;
}

void merged_print(struct merged *t, struct arena *a, const struct agg_opts *opts,
		 struct agg_print *out)
{
	u32 *rows = ARENA_ARRAY(a, u32, t->n + 1), n = rows_there(t, rows);
	struct agg_rows *rs = arena_alloc(a, sizeof(*rs) + t->naggs * sizeof(rs->row[0]));

	*rs = (struct agg_rows){ .t = t, .key = rows, .decoded = arena_within(a),
				 .none = ARENA_ARRAY(a, const u64 *, t->naggs) };
	for (u32 i = 0; i < t->naggs; i++)
		rs->none[i] = words_of_none(t, a, i);
	if (opts)
		sort_rows(t, opts, rs->none, rows, n);
	*out = (struct agg_print){ .aggs = t->aggs, .naggs = t->naggs, .nrows = n, .rows = rs,
				   .fetch = merged_row };
	if (opts && opts->top)
		merged_cut(out, opts->top, opts->reverse);
}

void merged_cut(struct agg_print *p, u32 n, bool reverse)
{
	if (n >= p->nrows)
		return;
	p->rows->key += reverse ? 0 : p->nrows - n;
	p->rows->at = 0;
	p->nrows = n;
}
