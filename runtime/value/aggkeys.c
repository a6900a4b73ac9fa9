/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggkeys.c - several aggregations in one printa(): compatible tuples with different layouts
 * (an int and a long, a short string and a longer one) are copied into one layout. Then equal
 * tuples have equal bytes.
 */
#include <errno.h>

#include "runtime/value/value.h"

static bool keys_is_text(const struct img_field *f)
{
	return f->type == IMG_STR || f->type == IMG_BYTES;
}

static bool keys_same(const struct img_agg *a, const struct img_agg *b)
{
	if (a->nkeys != b->nkeys || a->key_size != b->key_size)
		return false;
	for (u32 k = 0; k < a->nkeys; k++)
		if (a->keys[k].type != b->keys[k].type || a->keys[k].off != b->keys[k].off ||
		    a->keys[k].size != b->keys[k].size)
			return false;
	return true;
}

/* Widens a field to hold the values of both; false: not possible. */
static bool keys_widen(struct img_field *to, const struct img_field *f)
{
	bool text = keys_is_text(to) && keys_is_text(f);

	if (to->type != f->type && text)
		to->type = IMG_STR;
	else if (to->type != f->type || (to->type != IMG_INT && !text && to->size != f->size))
		return false;
	to->size = MAX(to->size, f->size);
	to->is_signed |= f->is_signed;
	return true;
}

static bool keys_layout(struct agg_state **st, u32 n, struct arena *a, struct img_agg *to)
{
	const struct img_agg *def = st[0]->def;
	u32 off = 0;

	to->nkeys = def->nkeys;
	to->keys = arena_memdup(a, def->keys, MAX(def->nkeys, 1u) * sizeof(*def->keys));
	for (u32 i = 1; i < n; i++) {
		if (st[i]->def->nkeys != to->nkeys)
			return false;
		for (u32 k = 0; k < to->nkeys; k++)
			if (!keys_widen(&to->keys[k], &st[i]->def->keys[k]))
				return false;
	}
	for (u32 k = 0; k < to->nkeys; k++) {
		to->keys[k].off = off;
		off += ALIGN_UP(to->keys[k].size, 8);
	}
	to->key_size = off;
	return true;
}

static u8 *keys_convert(struct loaded *ld, struct arena *a, const struct img_agg *from,
			const struct img_agg *to, const u8 *key)
{
	u8 *out = arena_alloc(a, to->key_size);
	struct decode_from bytes = { key, from->key_size, true };

	for (u32 k = 0; k < to->nkeys; k++) {
		const struct img_field *f = &from->keys[k], *t = &to->keys[k];
		struct val v = { 0 };

		if (t->type == IMG_INT && decode_field(ld, a, f, &bytes, &v))
			memcpy(out + t->off, &v.u, MIN(t->size, 8u));
		else
			memcpy(out + t->off, key + f->off, MIN(f->size, t->size));
	}
	return out;
}

static struct agg_state *keys_state(struct aggs *as, struct arena *a, struct agg_state *st,
				    const struct img_agg *layout)
{
	struct agg_state *to = arena_memdup(a, st, sizeof(*st));
	struct img_agg *def = arena_memdup(a, st->def, sizeof(*st->def));

	def->keys = layout->keys;
	def->key_size = layout->key_size;
	to->def = def;
	to->key_bytes = def->key_size;
	to->e.v = ARENA_ARRAY(a, struct agg_entry, MAX(st->e.n, 1u));
	for (u32 i = 0; i < st->e.n; i++) {
		to->e.v[i] = agg_entry_new(to, a,
					   keys_convert(agg_loaded(as), a, st->def, def,
							st->e.v[i].key));
		memcpy(to->e.v[i].data, st->e.v[i].data, (size_t)st->words * st->blocks * 8);
	}
	return to;
}

int agg_same_layout(struct aggs *as, struct arena *a, struct agg_state **st, u32 n)
{
	struct img_agg layout = { 0 };
	u32 i = 1;

	while (i < n && keys_same(st[0]->def, st[i]->def))
		i++;
	if (i >= n)
		return 0;
	if (!keys_layout(st, n, a, &layout))
		return -EINVAL;
	for (i = 0; i < n; i++)
		st[i] = keys_state(as, a, st[i], &layout);
	return 0;
}

void agg_narrow_keys(const struct img_agg *def, struct val *keys)
{
	for (u32 k = 0; k < def->nkeys; k++) {
		const struct img_field *f = &def->keys[k];
		u32 unused = 64 - MIN(f->size, 8u) * 8;
		u64 v = keys[k].u << unused >> unused;

		if (keys[k].kind != VAL_INT || f->type != IMG_INT || f->size >= keys[k].size)
			continue;
		if (f->is_signed)
			v = (s64)(keys[k].u << unused) >> unused;
		if (v != keys[k].u)
			continue;
		keys[k].size = f->size;
		keys[k].is_signed = f->is_signed;
	}
}
