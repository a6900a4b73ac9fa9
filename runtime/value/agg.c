/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * agg.c - snapshots of aggregation maps: read, merge CPUs, subtract the baseline.
 *
 *   map ── batch lookups ──► agg_add(): merge CPUs, subtract the baseline ──► entries
 *
 * The key of a keyed aggregation's map is the tuple and the CPU (abi.h, "Values of
 * aggregations"); a tuple may be in the map, in its reserve, or in both.  A keyless one has a
 * slot for each CPU, read from mapped memory: a copy made by the kernel may contain a torn
 * counter.
 *
 * Keys with stacks have no end of new ones: their rows are taken out while the program runs, and
 * are added to what the maps have (aggcarry.c).
 *
 * aggclear.c sets the baseline, aggrow.c joins the entries.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <dtx/opt.h>
#include <dtx/env.h>

#include "runtime/load/load.h"
#include "runtime/value/value-private.h"

#define BATCH_BYTES  (4u << 20)
#define BATCH_MIN    64u
#define BATCH_MAX    65536u
#define BATCH_SAMPLE 4096u       /* entries read at once for a sample: half a millisecond */

struct aggs *aggs_new(struct loaded *ld)
{
	struct aggs *as = xcalloc(1, sizeof(*as));
	int ncpus = libbpf_num_possible_cpus();

	as->keys.ld = ld;
	as->n = ld->img->naggs;
	as->ncpus = ncpus > 0 ? ncpus : 1;
	as->percpu = opt_num(ld->env, OPT_aggpercpu);
	as->v = xcalloc(as->n, sizeof(*as->v));
	for (u32 i = 0; i < as->n; i++) {
		const struct img_agg *def = &ld->img->aggs[i];
		struct agg_state *st = &as->v[i];

		st->def = def;
		st->ops = agg_ops(def->func);
		st->words = agg_data_words(def);
		st->blocks = as->percpu ? 1 + as->ncpus : 1;
		st->key_bytes = def->keyed ? def->key_size : 8;
		st->norm = 1;
		st->taking = &as->taking;
	}
	aggs_take_init(as);
	return as;
}

static void agg_state_free(struct agg_state *st)
{
	arena_free(st->arena);
	VEC_FREE(&st->e);
	VEC_FREE(&st->marks);
	keytab_free(st->index);
}

void aggs_free(struct aggs *as)
{
	if (!as)
		return;
	aggs_take_end(as);
	for (u32 i = 0; i < as->n; i++) {
		agg_state_free(&as->v[i]);
		keytab_free(as->v[i].base);      /* samples use these, too */
		rowstore_free(as->v[i].carry);
		if (as->samples)
			agg_state_free(&as->samples[i]);
	}
	free(as->samples);
	free(as->v);
	free(as);
}

/* ---- adding an entry ------------------------------------------------------------- */

static void agg_state_reset(struct agg_state *st)
{
	arena_free(st->arena);
	st->arena = arena_new();
	keytab_free(st->index);
	st->index = keytab_new(st->key_bytes, sizeof(u32));
	st->e.n = st->marks.n = st->first = st->last = 0;
	st->packed = false;
}

void agg_reset(struct aggs *as, u32 agg)
{
	struct agg_state *st = agg_state(as, agg);

	if (st)
		agg_state_reset(st);
}

/* An entry starts at minus the baseline. */
static void agg_begin_entry(struct agg_state *st, const struct agg_entry *e, const void *key)
{
	const u64 *base = st->base && st->ops->merge->subtract ? keytab_get(st->base, key) : NULL;

	for (u32 b = 0; base && b < st->blocks; b++)
		st->ops->merge->subtract(st->def, e->data + b * st->words, base + b * st->words);
}

/* The merged data of the tuple. */
static u64 *agg_entry_data(struct agg_state *st, const void *key)
{
	u32 *index = keytab_put(st->index, key);
	struct agg_entry e;

	if (*index)
		return st->e.v[*index - 1].data;
	e = agg_entry_new(st, st->arena, key);
	VEC_PUSH(&st->e, e);
	*index = st->e.n;
	agg_begin_entry(st, &e, key);
	return e.data;
}

/*
 * The same in a sample, whose entries are there since an earlier one.  The kernel gives the keys in
 * the same order each time, so the entry is mostly the one that followed the last time; looking
 * it up by its hash would take most of the time.
 */
static u64 *agg_sample_data(struct agg_state *st, const void *key)
{
	u32 at = st->last ? st->marks.v[st->last - 1].next : st->first;

	if (!at || memcmp(st->e.v[at - 1].key, key, st->key_bytes)) {
		u32 *index = keytab_put(st->index, key);

		if (!*index) {
			VEC_PUSH(&st->e, agg_entry_new(st, st->arena, key));
			VEC_PUSH(&st->marks, (struct agg_mark){ 0 });
			*index = st->e.n;
		}
		at = *index;
	}
	*(st->last ? &st->marks.v[st->last - 1].next : &st->first) = at;
	st->last = at;

	struct agg_entry *e = &st->e.v[at - 1];
	if (st->marks.v[at - 1].seen != st->sample) {
		st->marks.v[at - 1].seen = st->sample;
		memset(e->data, 0, (size_t)st->words * st->blocks * 8);
		agg_begin_entry(st, e, key);
	}
	return e->data;
}

/* Was the slot used?  By its mark, or by its count if it has no mark. */
static bool agg_used(const struct agg_state *st, const u64 *value)
{
	for (u32 i = 0; i < 1 + st->words; i++)
		if (value[i])
			return true;
	return false;
}

static u64 *agg_data_of(struct agg_state *st, const void *key)
{
	return st->sample ? agg_sample_data(st, key) : agg_entry_data(st, key);
}

void agg_add(struct aggs *as, u32 agg, const void *key, u32 cpu, const void *value)
{
	static const u64 no_key[1];
	struct agg_state *st = as->into ? as->into : aggs_state(as, agg);
	const u64 *one = value;
	u64 *data;

	if (!st->def->keyed && !agg_used(st, one++))
		return;                          /* not used on this CPU */
	key = st->def->keyed ? key : no_key;
	data = agg_data_of(st, key);
	st->ops->merge->add(st->def, data, one);
	if (st->blocks > 1 && cpu < as->ncpus)
		st->ops->merge->add(st->def, data + (size_t)(1 + cpu) * st->words, one);
}

/* ---- reading the map ------------------------------------------------------------- */

struct agg_batch {
	u32 cap;                 /* entries */
	u32 kbytes;              /* of one key in the map */
	size_t vbytes;           /* of one value */
	u8 *keys, *vals;
	/* Of a sample: */
	void (*between)(void *);
	void *arg;
	u32 changes;             /* of the aggregation when it began */
};

static void batch_size(struct agg_batch *b, u32 cap)
{
	b->cap = cap;
	b->keys = xrealloc(b->keys, (size_t)cap * b->kbytes);
	b->vals = xrealloc(b->vals, (size_t)cap * b->vbytes);
}

static void agg_add_map(struct aggs *as, u32 agg, const struct agg_batch *b, u32 i)
{
	const struct img_agg *def = as->v[agg].def;
	u8 *key = b->keys + (size_t)i * b->kbytes;
	u32 cpu = 0;

	memcpy(&cpu, key + def->cpu_off, def->cpu_size);
	memset(key + def->cpu_off, 0, def->cpu_size);    /* the tuple remains */
	agg_add(as, agg, key, cpu, b->vals + i * b->vbytes);
}

/* Others may read the same aggregation meanwhile.  -EAGAIN: they have cleared it. */
static int agg_pause(struct aggs *as, u32 agg, const struct agg_batch *b)
{
	struct agg_state *into = as->into;

	if (!b->between)
		return 0;
	as->into = NULL;
	agg_unlock(&as->taking);
	b->between(b->arg);
	agg_lock(&as->taking);
	as->into = into;
	return as->v[agg].changes == b->changes ? 0 : -EAGAIN;
}

static int agg_read_batches(struct aggs *as, u32 agg, int fd, struct agg_batch *b)
{
	u8 *token = xcalloc(2, b->kbytes);
	void *in = NULL, *next = token;
	int err = 0;

	while (!err) {
		u32 n = b->cap;

		err = bpf_map_lookup_batch(fd, in, next, b->keys, b->vals, &n, NULL);
		if (err == -ENOSPC && b->cap < 1u << 24) {
			/* A bucket of the hash table does not fit: nothing was returned. */
			batch_size(b, b->cap * 2);
			err = 0;
			continue;
		}
		if (err && err != -ENOENT)
			break;
		for (u32 i = 0; i < n; i++)
			agg_add_map(as, agg, b, i);
		in = next;
		next = in == token ? token + b->kbytes : token;
		err = err ? err : agg_pause(as, agg, b);
	}
	free(token);
	return err == -ENOENT ? 0 : err;
}

static int agg_read_keys(struct aggs *as, u32 agg, int fd, struct agg_batch *b)
{
	void *prev = NULL;
	u8 *last = b->keys + b->kbytes;

	int err;

	while (!(err = bpf_map_get_next_key(fd, prev, b->keys))) {
		prev = memcpy(last, b->keys, b->kbytes);
		if (!bpf_map_lookup_elem(fd, b->keys, b->vals))
			agg_add_map(as, agg, b, 0);
	}
	return err == -ENOENT ? 0 : err;
}

/* ---- slots of a keyless aggregation ----------------------------------------------- */

int agg_slots_map(const struct aggs *as, const struct agg_state *st, int fd,
		  struct agg_slots *sl)
{
	sl->stride = st->def->val_room;
	sl->bytes = ALIGN_UP(sl->stride * as->ncpus, (size_t)sysconf(_SC_PAGESIZE));
	sl->at = mmap(NULL, sl->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return sl->at == MAP_FAILED ? -errno : 0;
}

static int agg_read_one(struct aggs *as, u32 agg, int fd, struct agg_batch *b)
{
	struct agg_state *st = &as->v[agg];
	struct agg_slots sl;
	int err = agg_slots_map(as, st, fd, &sl);

	for (u32 c = 0; !err && c < as->ncpus; c++) {
		const volatile u64 *from = (u64 *)(sl.at + c * sl.stride);

		for (u32 i = 0; i < 1 + st->words; i++)
			((u64 *)b->vals)[i] = from[i];
		agg_add(as, agg, NULL, c, b->vals);
	}
	if (!err)
		munmap(sl.at, sl.bytes);
	return err;
}

static int agg_read(struct aggs *as, u32 agg, int fd, struct agg_batch *b)
{
	const struct agg_state *st = as->into ? as->into : &as->v[agg];
	u32 before = st->e.n;
	int err;

	if (!as->v[agg].def->keyed)
		return agg_read_one(as, agg, fd, b);
	err = agg_read_batches(as, agg, fd, b);
	if (err && err != -EAGAIN && st->e.n == before && !st->sample)
		err = agg_read_keys(as, agg, fd, b);
	return err;
}

/* Reads the maps, to the snapshot or to a sample that has begun. */
static int agg_read_all(struct aggs *as, u32 agg, const int *fds, struct agg_batch *b, u32 most)
{
	const struct img_agg *def = as->v[agg].def;
	struct agg_state *st = as->into ? as->into : &as->v[agg];
	int err = 0;

	b->kbytes = img_agg_map_key(def);
	b->vbytes = ALIGN_UP(def->val_room, 8);
	batch_size(b, MIN(MAX(BATCH_BYTES / b->vbytes, BATCH_MIN), most));
	agg_carry_read(st, agg_data_of);
	for (u32 i = 0; i < AGG_MAPS && !err; i++)
		if (fds[i] >= 0)
			err = agg_read(as, agg, fds[i], b);
	free(b->keys);
	free(b->vals);
	return err;
}

void agg_unpack(struct agg_state *st)
{
	agg_lock(st->taking);
	if (st->packed)
		agg_carry_unpack(st, agg_data_of);
	st->packed = false;
	agg_unlock(st->taking);
}

int aggs_snapshot(struct aggs *as, u32 agg)
{
	struct agg_state *st = agg_state(as, agg);
	struct agg_batch b = { 0 };
	int fds[AGG_MAPS], err;

	if (!st)
		return -EINVAL;
	if (!as->keys.ld->obj)
		return 0;
	agg_maps(as, st, fds);
	if (fds[0] < 0 && fds[0] != -ENOENT)
		return fds[0];
	agg_reset(as, agg);
	if (fds[0] < 0)
		return 0;                /* no code fills the map: the linker left it out */
	agg_lock(&as->taking);
	err = agg_pack(as, agg) ? 0 : agg_read_all(as, agg, fds, &b, BATCH_MAX);
	agg_unlock(&as->taking);
	return err;
}

/* ---- samples ----------------------------------------------------------------------- */

/* The sample of an aggregation, which keeps its entries: keys are looked up, not made again. */
static struct agg_state *agg_sample_begin(struct aggs *as, u32 agg)
{
	struct agg_state *st;

	if (!as->samples)
		as->samples = xcalloc(as->n, sizeof(*as->samples));
	st = &as->samples[agg];
	if (!st->def) {
		*st = as->v[agg];
		st->arena = NULL;
		st->index = NULL;
		memset(&st->e, 0, sizeof(st->e));
		st->sample = 0;
	}
	if (!st->index)
		agg_state_reset(st);
	st->base = as->v[agg].base;
	st->carry = as->v[agg].carry;
	st->norm = as->v[agg].norm;
	st->anew = as->v[agg].anew;
	st->cleared = as->v[agg].cleared;
	st->resets = as->v[agg].resets;
	st->last = 0;
	st->sample++;
	return st;
}

/* The entries that the sample has; what is gone is forgotten when it is the most. */
static struct agg_state *agg_sample_end(struct agg_state *st, struct arena *a)
{
	struct agg_state *now = arena_memdup(a, st, sizeof(*st));

	now->e.v = ARENA_ARRAY(a, struct agg_entry, MAX(st->e.n, 1u));
	now->e.n = 0;
	for (u32 i = 0; i < st->e.n; i++)
		if (st->marks.v[i].seen == st->sample && !agg_is_idle(st, &st->e.v[i]))
			now->e.v[now->e.n++] = st->e.v[i];
	return now;
}

static int sample_read(struct aggs *as, struct arena *a, u32 agg, struct agg_batch *b,
		       struct agg_print *out)
{
	struct agg_state *st = agg_sample_begin(as, agg);
	int fds[AGG_MAPS], err = 0;

	b->changes = as->v[agg].changes;
	agg_maps(as, st, fds);
	if (fds[0] < 0 && fds[0] != -ENOENT)
		return fds[0];
	if (st->e.n > 1024 && st->live < st->e.n / 2)
		agg_state_reset(st);
	as->into = st;
	if (fds[0] >= 0)
		err = agg_read_all(as, agg, fds, b, BATCH_SAMPLE);
	as->into = NULL;
	if (err)
		return err;
	struct agg_state *now = agg_sample_end(st, a);

	st->live = now->e.n;
	agg_rows_of(as, a, agg, now, out);
	return 0;
}

int aggs_sample(struct aggs *as, struct arena *a, u32 agg, void (*between)(void *), void *arg,
		struct agg_print *out)
{
	struct agg_batch b = { .between = between, .arg = arg };
	int err;

	if (!agg_state(as, agg))
		return -EINVAL;
	agg_lock(&as->taking);
	err = sample_read(as, a, agg, &b, out);
	agg_unlock(&as->taking);
	return err;
}

/* ---- normalize ---------------------------------------------------------------------- */

void aggs_normalize(struct aggs *as, u32 agg, s64 factor)
{
	struct agg_state *st = agg_state(as, agg);

	if (st)
		st->norm = factor ? factor : 1;
}

void aggs_mark_printed(struct aggs *as, u32 agg)
{
	if (agg < as->n)
		as->v[agg].printed = true;
}

bool aggs_printed(const struct aggs *as, u32 agg)
{
	return agg >= as->n || as->v[agg].printed;
}

bool aggs_left_zero(struct aggs *as, u32 agg)
{
	struct agg_state *st = agg_state(as, agg);
	bool zero;

	if (!st || !st->resets || st->printed || st->anew)
		return false;
	agg_lock(&as->taking);
	agg_unpack(st);
	zero = st->e.n;
	for (u32 i = 0; i < st->e.n && zero; i++)
		for (u32 w = 0; w < st->words && zero; w++)
			zero = !st->e.v[i].data[w];
	agg_unlock(&as->taking);
	return zero;
}
