/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keyset.c - keys of several hosts, each once and in a few bytes: numbers of seven bits, texts, and
 * numbers of words and frames.  Stacks and symbols are the same if their texts are, since each
 * machine has its own addresses.
 */
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"

/* ---- words and frames ------------------------------------------------------------------- */

struct texts {
	bool shared;             /* by several machines */
	struct arena *arena;
	struct map *words;       /* text -> number + 1 */
	VEC(const char *) word;
	struct keytab *frames;   /* struct frame_key -> struct frame */
};

/* A frame without its address, which is that of one machine; texts: number + 1, 0: NULL. */
struct frame_key {
	u64 offset;
	u32 text, symbol, object, file, line, inlined;
};

struct texts *texts_new(void)
{
	struct texts *t = xcalloc(1, sizeof(*t));

	t->arena = arena_new();
	t->words = map_new_of_kept();
	t->frames = keytab_new(sizeof(struct frame_key), sizeof(struct frame));
	return t;
}

void texts_share(struct texts *t)
{
	t->shared = true;
}

void texts_free(struct texts *t)
{
	if (!t)
		return;
	map_free(t->words);
	VEC_FREE(&t->word);
	keytab_free(t->frames);
	arena_free(t->arena);
	free(t);
}

size_t texts_bytes(const struct texts *t)
{
	return arena_size(t->arena) + t->word.cap * (sizeof(*t->word.v) + 32) +
	       keytab_bytes(t->frames);
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

static u32 text_of_frame(struct texts *t, const char *s)
{
	return s ? text_number(t, s) + 1 : 0;
}

static const char *text_kept(const struct texts *t, u32 at)
{
	return at ? t->word.v[at - 1] : NULL;
}

static u32 frame_number(struct texts *t, const struct frame *f)
{
	const struct frame_key key = {
		.offset = f->offset, .text = text_of_frame(t, f->text),
		.symbol = text_of_frame(t, f->symbol), .object = text_of_frame(t, f->object),
		.file = text_of_frame(t, f->file), .line = f->line, .inlined = f->inlined,
	};
	u32 n = keytab_count(t->frames), i = keytab_index(t->frames, &key);

	if (i == n)                      /* a new one */
		*(struct frame *)keytab_val(t->frames, i) = (struct frame){
			.text = text_kept(t, key.text), .symbol = text_kept(t, key.symbol),
			.offset = f->offset, .object = text_kept(t, key.object),
			.file = text_kept(t, key.file), .line = f->line, .inlined = f->inlined,
		};
	return i;
}

/* ---- keys ------------------------------------------------------------------------------- */

struct keyset {
	struct texts *texts;
	const struct img_agg *def;
	struct buf bytes;        /* of all keys */
	VEC(size_t) from;        /* where each begins: many hosts have more than 4 GB */
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

size_t keyset_bytes(const struct keyset *ks)
{
	return ks->bytes.cap + ks->from.cap * sizeof(*ks->from.v) + ks->nslots * sizeof(u32);
}

u32 keyset_count(const struct keyset *ks)
{
	return ks->from.n;
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
	size_t end = i + 1 < ks->from.n ? ks->from.v[i + 1] : ks->bytes.len;

	*len = (u32)(end - ks->from.v[i]);
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
		VEC_PUSH(&ks->from, ks->bytes.len);
		buf_add(&ks->bytes, ks->key.data, ks->key.len);
		ks->slots[slot] = ks->from.n;
	}
	return ks->slots[slot] - 1;
}

static void read_stack(const struct keyset *ks, struct arena *a, const u8 **p, struct val *v)
{
	struct frame *f;

	v->end = (u32)varint_get(p);
	v->nframes = (u32)varint_get(p);
	v->frames = f = ARENA_ARRAY(a, struct frame, v->nframes + 1);
	for (u32 i = 0; i < v->nframes; i++)
		f[i] = *(struct frame *)keytab_val(ks->texts->frames, (u32)varint_get(p));
}

static void read_text(struct arena *a, const u8 **p, struct val *v)
{
	u64 n = varint_get(p);
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
			   .shared = ks->texts->shared };
	switch (v->kind) {
	case VAL_INT:
		v->u = varint_get(p);
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
		v->text = ks->texts->word.v[varint_get(p)];
		break;
	}
}

struct val *keyset_read(const struct keyset *ks, struct arena *a, u32 i)
{
	struct val *v = ARENA_ARRAY(a, struct val, ks->def->nkeys + 1);
	u32 len;
	const u8 *p = key_at(ks, i, &len);

	for (u32 k = 0; k < ks->def->nkeys; k++)
		read_field(ks, a, &ks->def->keys[k], &p, &v[k]);
	return v;
}
