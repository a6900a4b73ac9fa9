/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggstate.c - what the files of aggregations ask of them, and of their entries and packed rows;
 * nothing here reads a map.
 */
#include <dtx/opt.h>

#include "runtime/load/load.h"
#include "runtime/value/value-private.h"

struct agg_state *agg_state(struct aggs *as, u32 agg)
{
	return aggs_state(as, agg);
}

const struct agg_keys *agg_keys_of(const struct aggs *as)
{
	return &as->keys;
}

bool agg_limited(const struct aggs *as)
{
	return opt_is_set(as->keys.ld->env, OPT_aggsize);
}

struct loaded *agg_loaded(struct aggs *as)
{
	return as->keys.ld;
}

void aggs_whole(struct aggs *as)
{
	as->whole = true;
}

bool aggs_are_whole(const struct aggs *as)
{
	return as->whole;
}

struct agg_taking *agg_taking(struct aggs *as)
{
	return &as->taking;
}

u32 agg_ncpus(const struct aggs *as)
{
	return as->ncpus;
}

struct agg_entry agg_entry_new(const struct agg_state *st, struct arena *a, const u8 *key)
{
	u8 *at = arena_alloc(a, agg_row_bytes(st));

	if (key)
		memcpy(at, key, st->key_bytes);
	return (struct agg_entry){ at, agg_data(st, at) };
}

bool agg_is_idle(const struct agg_state *st, const struct agg_entry *e)
{
	u32 words = st->anew && (st->def->keyed || st->ops->value->hist) ? st->words : 0;

	for (u32 i = 0; i < words; i++)
		if (e->data[i])
			return false;
	return words;
}

void agg_lock(struct agg_taking *t)
{
	pthread_mutex_lock(&t->lock);
}

void agg_unlock(struct agg_taking *t)
{
	pthread_mutex_unlock(&t->lock);
}

/* ---- packed rows: aggcarry.c ------------------------------------------------------ */

u32 agg_packed_rows(const struct agg_state *st)
{
	u32 n;

	agg_lock(st->taking);
	n = rowstore_settled(st->carry);
	agg_unlock(st->taking);
	return n;
}

void agg_packed_row(const struct agg_state *st, u32 i, u8 *key)
{
	u64 *data = agg_data(st, key), *base;

	agg_lock(st->taking);
	rowstore_row(st->carry, i, key, data);
	agg_unlock(st->taking);
	base = st->base && st->ops->merge->subtract ? keytab_get(st->base, key) : NULL;
	for (u32 b = 0; base && b < st->blocks; b++)
		st->ops->merge->subtract(st->def, data + b * st->words, base + b * st->words);
}
