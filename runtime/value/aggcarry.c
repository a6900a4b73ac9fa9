/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggcarry.c - rows that are taken out of the maps while the program runs.
 *
 * An aggregation keyed by stacks has two pairs of maps, each a map and its reserve.  Programs use
 * one of them, as the control block says.  To empty it, dtx makes them use the other one and waits
 * until every program that began before has ended: then nothing updates the rows, and they are
 * read, removed, and added to what was taken before.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/membarrier.h>

#include <dtx/opt.h>

#include "runtime/load/load.h"
#include "runtime/value/agg.h"

#define CARRY_MANY   65536u      /* rows in the maps: they are taken … */
#define CARRY_SHARE  4           /* … or at this share of what fits */
#define CARRY_PART   16          /* at most this share of the memory … */
#define CARRY_CAP    (64u << 20) /* … and so many bytes, for each aggregation */
#define CARRY_BATCH  4096        /* rows at once … */
#define CARRY_BATCH_MOST (1u << 20)      /* … and where chains of the kernel's hash are long */

/* ---- the maps --------------------------------------------------------------------- */

void agg_maps(struct aggs *as, const struct agg_state *st, int fds[AGG_MAPS])
{
	struct loaded *ld = agg_loaded(as);
	struct arena *a = arena_new();
	const char *names[AGG_MAPS] = { st->def->map };

	if (st->def->keyed) {
		names[1] = img_agg_reserve(a, st->def);
		names[2] = img_agg_turn(a, st->def, false);
		names[3] = img_agg_turn(a, st->def, true);
	}
	for (u32 i = 0; i < AGG_MAPS; i++) {
		bool there = !i || (names[i] && img_map_named(ld->img, names[i]));

		fds[i] = ld->obj && there ? load_map_fd(ld, names[i]) : -1;
	}
	arena_free(a);
}

static const struct img_map *second_map(struct loaded *ld, const struct agg_state *st)
{
	struct arena *a = arena_new();
	const struct img_map *m = NULL;

	if (st && st->def->keyed)
		m = img_map_named(ld->img, img_agg_turn(a, st->def, false));
	arena_free(a);
	return m;
}

/* ---- what was taken ----------------------------------------------------------------- */

/* A value is a mark, whether the row is there, and the words as in a snapshot. */
const u64 *agg_carried(const struct agg_state *st, const void *key)
{
	const u64 *v = st->carry ? keytab_get(st->carry, key) : NULL;

	return v && v[0] ? v + 1 : NULL;
}

u32 agg_carry_count(const struct agg_state *st)
{
	return st->carry ? keytab_count(st->carry) : 0;
}

const void *agg_carry_key(const struct agg_state *st, u32 i)
{
	return *(const u64 *)keytab_val(st->carry, i) ? keytab_key(st->carry, i) : NULL;
}

static size_t carry_words(const struct agg_state *st)
{
	return (size_t)st->words * st->blocks;
}

void agg_carry_clear(struct agg_state *st)
{
	for (u32 i = 0; i < agg_carry_count(st); i++)
		memset((u64 *)keytab_val(st->carry, i) + 1, 0, carry_words(st) * 8);
}

void agg_carry_remove(struct agg_state *st, const u8 *key)
{
	u64 *v = key && st->carry ? keytab_get(st->carry, key) : NULL;

	if (v)
		memset(v, 0, (1 + carry_words(st)) * 8);
	if (key)
		return;
	keytab_free(st->carry);
	st->carry = NULL;
}

static void carry_add(struct agg_state *st, u8 *key, const u64 *value)
{
	const struct img_agg *def = st->def;
	u32 cpu = 0;

	memcpy(&cpu, key + def->cpu_off, def->cpu_size);
	memset(key + def->cpu_off, 0, def->cpu_size);    /* the tuple remains */
	u64 *v = keytab_put(st->carry, key);

	*v++ = 1;
	st->ops->merge->add(def, v, value);
	if (cpu + 1 < st->blocks)
		st->ops->merge->add(def, v + (size_t)(1 + cpu) * st->words, value);
}

/* ---- taking --------------------------------------------------------------------------- */

static void carry_row(void *st, void *key, void *value)
{
	carry_add(st, key, value);
}

static void carry_take(struct agg_state *st, int fd)
{
	struct map_rows rows = { fd, img_agg_map_key(st->def), ALIGN_UP(st->def->val_room, 8),
				 CARRY_BATCH, CARRY_BATCH_MOST };

	map_empty(&rows, carry_row, st);
}

bool aggs_drains(struct aggs *as)
{
	struct loaded *ld = agg_loaded(as);
	bool drains = false;

	for (u32 i = 0; i < ld->img->naggs && ld->obj; i++)
		drains |= second_map(ld, agg_state(as, i)) != NULL;
	return drains && !opt_is_set(ld->env, OPT_aggsize);
}

static bool carry_full(const struct agg_state *st)
{
	bool limited;
	u64 most = MIN(env_memory(&limited) / CARRY_PART, (u64)CARRY_CAP);

	return st->carry && keytab_bytes(st->carry) > most;
}

u32 aggs_full(struct aggs *as)
{
	for (u32 i = 0; i < agg_loaded(as)->img->naggs; i++)
		if (agg_state(as, i) && carry_full(agg_state(as, i)))
			return CARRY_CAP >> 20;
	return 0;
}

/* How many rows may be in the maps of the smallest one; 0: one has no room left. */
static u32 rows_at_most(struct aggs *as)
{
	struct loaded *ld = agg_loaded(as);
	u32 most = CARRY_MANY;

	for (u32 i = 0; i < ld->img->naggs; i++) {
		const struct agg_state *st = agg_state(as, i);
		const struct img_map *m = second_map(ld, st);

		if (m && carry_full(st))
			return 0;
		if (m)
			most = MIN(most, load_map_entries(ld, m, load_map_grows(ld, m)) /
						 CARRY_SHARE);
	}
	return most;
}

void aggs_drain(struct aggs *as)
{
	struct loaded *ld = agg_loaded(as);
	u32 *taken = agg_taken(as), made = ld->ctl->rows, most = rows_at_most(as);
	u32 old = ld->ctl->turn;

	if (!most || made - *taken < most)
		return;
	ld->ctl->turn = !old;
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0)) {
		ld->ctl->turn = old;
		return;                  /* no way to know when programs have ended */
	}
	*taken = made;
	for (u32 i = 0; i < ld->img->naggs; i++) {
		struct agg_state *st = agg_state(as, i);
		int fds[AGG_MAPS];

		if (!second_map(ld, st))
			continue;
		agg_maps(as, st, fds);
		if (!st->carry)
			st->carry = keytab_new(st->key_bytes, (1 + carry_words(st)) * 8);
		carry_take(st, fds[old ? 2 : 0]);
		carry_take(st, fds[old ? 3 : 1]);
	}
}
