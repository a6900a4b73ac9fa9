/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggcarry.c - rows that are taken out of the maps while the program runs.
 *
 * An aggregation keyed by stacks has two pairs of maps, each a map and its reserve.  Programs use
 * one of them, as the control block says.  To empty it, dtx makes them use the other one and waits
 * until every program that began before has ended: then nothing updates the rows, and they are
 * read, removed, and added to what was taken before (rowstore.c).
 *
 * A thread does that, and nothing else: the thread that traces may be busy for seconds, with a file
 * that it reads names from, or with a terminal that does not go on.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/membarrier.h>


#include "runtime/load/load.h"
#include "runtime/value/value.h"
#include "runtime/kernel/kernel.h"

#define CARRY_MANY   65536u      /* rows in the maps: they are taken … */
#define CARRY_SHARE  4           /* … or at this share of what fits */
#define CARRY_PART   16          /* at most this share of the memory … */
#define CARRY_CAP    (48u << 20) /* … and so many bytes, for each aggregation */
#define CARRY_PERIOD 100         /* ms */
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

		fds[i] = ld->obj && there ? load_map_fd(ld, names[i]) : -ENOENT;
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

/* A value is the words as in a snapshot: merged, then those of each CPU. */
static size_t carry_words(const struct agg_state *st)
{
	return (size_t)st->words * st->blocks;
}

static void carry_merge(void *arg, u64 *into, const u64 *from)
{
	const struct agg_state *st = arg;

	for (u32 b = 0; b < st->blocks; b++)
		st->ops->merge->add(st->def, into + b * st->words, from + b * st->words);
}

static struct rowstore *carry_new(struct agg_state *st)
{
	return rowstore_new(st->key_bytes, (u32)carry_words(st), carry_merge, st);
}

u32 agg_carry_rows(const struct agg_state *st)
{
	u32 n;

	agg_lock(st->taking);
	n = st->carry ? rowstore_count(st->carry) : 0;
	agg_unlock(st->taking);
	return n;
}

struct carrying {
	struct agg_state *st;
	struct rowstore *to;
	struct keytab *kept;
	u64 *(*data)(struct agg_state *, const void *key);
};

static void read_carried(void *arg, const void *key, u64 *words)
{
	const struct carrying *c = arg;

	carry_merge(c->st, c->data(c->st, key), words);
}

void agg_carry_read(struct agg_state *st, u64 *(*data)(struct agg_state *, const void *key))
{
	if (st->carry)
		rowstore_each(st->carry, read_carried,
			      &(struct carrying){ .st = st, .data = data });
}

void agg_carry_unpack(struct agg_state *st, u64 *(*data)(struct agg_state *, const void *key))
{
	rowstore_each_settled(st->carry, read_carried,
			      &(struct carrying){ .st = st, .data = data });
}

static void keep_carried(void *arg, const void *key, u64 *words)
{
	const struct carrying *c = arg;
	bool came = !keytab_get(c->st->index, key);      /* since the snapshot */

	if (!c->kept && !came)
		rowstore_put(c->to, key);
	else if (came || keytab_get(c->kept, key))
		carry_merge(c->st, rowstore_put(c->to, key), words);
}

static void carry_anew(struct agg_state *st, struct keytab *kept)
{
	struct carrying c = { st, carry_new(st), kept, NULL };

	rowstore_each(st->carry, keep_carried, &c);
	rowstore_free(st->carry);
	st->carry = c.to;
}

void agg_carry_clear(struct agg_state *st)
{
	if (st->carry)
		carry_anew(st, NULL);
}

void agg_carry_keep(struct agg_state *st, u32 n)
{
	struct keytab *kept;

	if (!st->carry)
		return;
	kept = keytab_new(st->key_bytes, 1);
	for (u32 i = 0; i < n; i++)
		keytab_put(kept, st->e.v[i].key);
	carry_anew(st, kept);
	keytab_free(kept);
}

static void carry_add(struct agg_state *st, u8 *key, const u64 *value)
{
	const struct img_agg *def = st->def;
	u32 cpu = 0;

	memcpy(&cpu, key + def->cpu_off, def->cpu_size);
	memset(key + def->cpu_off, 0, def->cpu_size);    /* the tuple remains */
	u64 *v = rowstore_put(st->carry, key);

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

static bool aggs_drains(struct aggs *as)
{
	struct loaded *ld = agg_loaded(as);
	bool drains = false;

	for (u32 i = 0; i < ld->img->naggs && ld->obj; i++)
		drains |= second_map(ld, agg_state(as, i)) != NULL;
	return drains && !agg_limited(as);
}

static u64 carry_most(void)
{
	bool limited;

	return MIN(env_memory(&limited) / CARRY_PART, (u64)CARRY_CAP);
}

static bool carry_full(const struct agg_state *st)
{
	return st->carry && rowstore_bytes(st->carry) > carry_most();
}

size_t aggs_carry_bytes(struct aggs *as)
{
	size_t sum = 0;

	agg_lock(agg_taking(as));
	for (u32 i = 0; i < agg_loaded(as)->img->naggs; i++)
		if (agg_state(as, i) && agg_state(as, i)->carry)
			sum += rowstore_bytes(agg_state(as, i)->carry);
	agg_unlock(agg_taking(as));
	return sum;
}

u32 aggs_full(struct aggs *as)
{
	bool full = false;

	agg_lock(agg_taking(as));
	for (u32 i = 0; i < agg_loaded(as)->img->naggs; i++)
		full |= agg_state(as, i) && carry_full(agg_state(as, i));
	agg_unlock(agg_taking(as));
	return full ? MAX(carry_most() >> 20, 1ull) : 0;
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

static void carry_state(struct aggs *as, struct agg_state *st, u32 old)
{
	int fds[AGG_MAPS];

	agg_maps(as, st, fds);
	if (!st->carry)
		st->carry = carry_new(st);
	st->changes++;                   /* a sample that is being read lacks what was taken */
	carry_take(st, fds[old ? 2 : 0]);
	carry_take(st, fds[old ? 3 : 1]);
}

static bool take_all(struct aggs *as)
{
	struct loaded *ld = agg_loaded(as);
	u32 old = ld->ctl->turn, made = ld->ctl->rows;

	ld->ctl->turn = !old;
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0)) {
		ld->ctl->turn = old;
		return false;            /* no way to know when programs have ended */
	}
	agg_taking(as)->made = made;
	for (u32 i = 0; i < ld->img->naggs; i++)
		if (second_map(ld, agg_state(as, i)))
			carry_state(as, agg_state(as, i), old);
	return true;
}

static void take_many(void *arg)
{
	struct aggs *as = arg;
	struct agg_taking *t = agg_taking(as);
	u32 most;

	agg_lock(t);
	most = rows_at_most(as);
	if (most && agg_loaded(as)->ctl->rows - t->made >= most)
		take_all(as);
	agg_unlock(t);
}

/* ---- the thread ------------------------------------------------------------------------ */

void aggs_take_init(struct aggs *as)
{
	struct agg_taking *t = agg_taking(as);
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&t->lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

int aggs_take(struct aggs *as)
{
	if (!aggs_drains(as))
		return 0;
	return periodic_start(&agg_taking(as)->thread, CARRY_PERIOD, take_many, as);
}

void aggs_take_end(struct aggs *as)
{
	periodic_end(&agg_taking(as)->thread);
	pthread_mutex_destroy(&agg_taking(as)->lock);
}

/* ---- snapshots of many rows ------------------------------------------------------------ */

/* When the run ends, only what the maps have now may still come. */
static bool has_room(struct aggs *as)
{
	return agg_loaded(as)->ctl->state >= DTX_STATE_DRAINING || rows_at_most(as);
}

static bool may_pack(struct aggs *as, const struct agg_state *st)
{
	return agg_carry_rows(st) && !st->ops->value->hist && !agg_folds(st->def) && has_room(as);
}

bool agg_pack(struct aggs *as, u32 agg)
{
	struct agg_state *st = agg_state(as, agg);

	agg_lock(st->taking);
	st->packed = may_pack(as, st) && take_all(as);
	if (st->packed)
		rowstore_settle(st->carry);
	agg_unlock(st->taking);
	return st->packed;
}
