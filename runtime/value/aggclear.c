/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggclear.c - clear() and trunc().
 *
 * clear() never writes into a counter that a program may be updating: its value becomes the
 * baseline, which every later snapshot subtracts.  Only min and max, which cannot be
 * subtracted, are reset in the map.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include <bpf/bpf.h>

#include "runtime/load/load.h"
#include "runtime/value/value.h"

/* Calls fn on the key of each CPU for a tuple, in both maps. */
static void agg_each_cpu(struct aggs *as, const struct agg_state *st, const u8 *tuple,
			 void (*fn)(int fd, const void *key, const void *value), const void *value)
{
	u8 *key = xcalloc(1, img_agg_map_key(st->def));
	int fds[AGG_MAPS];

	agg_maps(as, st, fds);
	memcpy(key, tuple, st->key_bytes);
	for (u32 c = 0; c < agg_ncpus(as); c++) {
		memcpy(key + st->def->cpu_off, &c, st->def->cpu_size);
		for (u32 i = 0; i < AGG_MAPS; i++)
			if (fds[i] >= 0)
				fn(fds[i], key, value);
	}
	free(key);
}

static void agg_map_write(int fd, const void *key, const void *value)
{
	bpf_map_update_elem(fd, key, value, BPF_EXIST);
}

static void agg_map_delete(int fd, const void *key, const void *value)
{
	bpf_map_delete_elem(fd, key);
}

/* min and max: writes the identity into the map. */
static void agg_rewrite_slots(struct aggs *as, struct agg_state *st, bool used)
{
	int fd = agg_loaded(as)->obj ? load_map_fd(agg_loaded(as), st->def->map) : -1;
	struct agg_slots sl;

	if (fd < 0 || agg_slots_map(as, st, fd, &sl))
		return;
	for (u32 c = 0; c < agg_ncpus(as); c++) {
		volatile u64 *to = (u64 *)(sl.at + c * sl.stride);

		to[0] = used;
		for (u32 i = 1; i < 1 + st->words; i++)
			to[i] = 0;
	}
	munmap(sl.at, sl.bytes);
}

static void agg_rewrite(struct aggs *as, struct agg_state *st, bool used)
{
	u64 *zeros;

	if (!st->def->keyed) {
		agg_rewrite_slots(as, st, used);
		return;
	}
	zeros = xcalloc(1, ALIGN_UP(st->def->val_room, 8));
	for (u32 i = 0; i < st->e.n; i++)
		agg_each_cpu(as, st, st->e.v[i].key, agg_map_write, zeros);
	free(zeros);
}

static void clear_state(struct aggs *as, struct agg_state *st)
{
	agg_unpack(st);
	if (!st->e.n)                    /* an aggregation without values gets none */
		return;
	st->changes++;
	st->cleared++;
	st->resets++;
	u32 words = st->words * st->blocks, bytes = words * 8;

	if (!st->ops->merge->subtract) {
		agg_rewrite(as, st, true);
		agg_carry_clear(st);
	} else if (!st->base) {
		st->base = keytab_new(st->key_bytes, bytes);
	}
	for (u32 i = 0; i < st->e.n; i++) {
		struct agg_entry *e = &st->e.v[i];

		if (st->ops->merge->subtract) {
			u64 *base = keytab_put(st->base, e->key);

			for (u32 b = 0; b < st->blocks; b++)
				st->ops->merge->add(st->def, base + b * st->words,
						    e->data + b * st->words);
		}
		memset(e->data, 0, bytes);
	}
}

void aggs_clear(struct aggs *as, u32 agg)
{
	struct agg_state *st = agg_state(as, agg);

	if (!st)
		return;
	agg_lock(agg_taking(as));
	clear_state(as, st);
	agg_unlock(agg_taking(as));
}

void aggs_anew(struct aggs *as, u32 agg, bool keeps)
{
	struct agg_state *st = agg_state(as, agg);

	if (!st)
		return;
	st->printed = false;
	if (keeps)
		return;
	aggs_clear(as, agg);
	st->anew = true;
}

static void forget_base(struct agg_state *st)
{
	keytab_free(st->base);
	st->base = NULL;
}

/* Remove the entries from `from` on: from the map, the baseline and the snapshot. */
static void agg_remove(struct aggs *as, struct agg_state *st, u32 from)
{
	if (!st->def->keyed && from < st->e.n)
		agg_rewrite(as, st, false);
	for (u32 i = from; i < st->e.n; i++) {
		u64 *base = st->base ? keytab_get(st->base, st->e.v[i].key) : NULL;

		if (st->def->keyed)
			agg_each_cpu(as, st, st->e.v[i].key, agg_map_delete, NULL);
		if (base)
			memset(base, 0, (size_t)st->words * st->blocks * 8);
	}
	agg_carry_keep(st, from);
	st->e.n = from;
	if (!from)
		forget_base(st);
}

static void trunc_state(struct aggs *as, struct agg_state *st, s64 n)
{
	u64 keep = n < 0 ? -(u64)n : (u64)n;

	if (agg_packed_trunc(st, keep, n > 0)) {
		if (!n)
			forget_base(st);
		st->resets += !n;
		return;
	}
	agg_unpack(st);
	if (n && keep >= st->e.n)
		return;
	st->changes++;
	st->cleared++;
	st->resets += !n;
	if (n && agg_folds(st->def))
		keep = agg_fold_keep(as, st, keep, n > 0);
	else if (n)
		agg_sort_entries(st, n > 0);
	agg_remove(as, st, keep);
}

void aggs_trunc(struct aggs *as, u32 agg, s64 n)
{
	struct agg_state *st = agg_state(as, agg);

	if (!st)
		return;
	agg_lock(agg_taking(as));
	trunc_state(as, st, n);
	agg_unlock(agg_taking(as));
}
