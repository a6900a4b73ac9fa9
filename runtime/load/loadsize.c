/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loadsize.c - maps by their roles, and their sizes: from the options, the memory and the CPUs of
 * the machine, and what the program can need.
 */
#include <errno.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include <dtx/feat.h>
#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/kernel/kernel.h"

#define LOAD_RING_CAP   (64u << 20)              /* default total, bytes */
#define LOAD_RING_RECORD 256                     /* more than the headers of a record and a fault */
#define LOAD_AGGS       16                       /* keyed aggregations that do not share */
#define LOAD_AGGS_LEAST 131072                   /* entries of each of them … */
#define LOAD_AGGS_MOST  524288                   /* … and of all together, if that is more */
#define LOAD_VARS_PART  2048                     /* share of the memory for associative arrays … */
#define LOAD_VARS_CAP   (32u << 20)              /* … but at most this many bytes */
#define LOAD_STACKS_LEAST 16384u                 /* different stacks, and where maps cannot grow */
#define LOAD_STACKS_PART 16                      /* share of the memory for stacks … */
#define LOAD_STACKS_CAP  (40u << 20)             /* … but at most this many bytes */
#define LOAD_ELEMENT     64 /* the kernel's part of an element: htab_elem, bucket */
#define LOAD_RING_MAX   (1u << 31)               /* the most that the kernel's u32 holds */

static u64 load_pow2(u64 n)
{
	return n < 2 ? 1 : 1ull << (64 - __builtin_clzll(n - 1));
}

static u64 load_clamp(u64 n, u64 lo, u64 hi)
{
	return n < lo ? lo : n > hi ? hi : n;
}

/* BEGIN and END only? */
static bool load_runs_once(const struct img *img)
{
	u32 i = 0;

	while (i < img->nprogs && kind_is(img->progs[i].kind, KIND_ONCE))
		i++;
	return i == img->nprogs;
}

/*
 * bufsize is for each CPU that runs: machines in clouds have two, and room for a hundred more.
 * BEGIN and END run on one.
 */
u32 load_ring_cpus(const struct img *img)
{
	return load_runs_once(img) ? 1 : (u32)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1l);
}

static u64 load_memory(void)
{
	bool limited;

	return env_memory(&limited);
}

#define LOAD_GROUP_PART  8       /* in a memory group: the ring, and all aggregations together */

/* What fits into the memory group of dtx; a part of it, as the rows are read into dtx, too. */
static u64 load_in_group(u64 n, u64 each)
{
	bool limited;
	u64 room = env_memory(&limited) / LOAD_GROUP_PART / MAX(each, 1ull);

	return limited && n > room ? MAX(load_pow2(room + 1) / 2, 1ull) : n;
}

/*
 * The most that BEGIN and END can record: they run once, each clause makes a record or a fault, and
 * each fault may run all clauses of ERROR.  It costs time to make and map the pages of a ring.
 */
static u64 load_once_bytes(const struct img *img)
{
	u64 bytes = 0;

	for (u32 i = 0; i < img->nsites; i++) {
		const struct img_site *s = &img->sites[i];

		bytes += s->rec_size + LOAD_RING_RECORD;
		for (u32 k = 0; k < s->nactions; k++)
			for (u32 f = 0; f < s->actions[k].nfields; f++)
				bytes += s->actions[k].fields[f].str_max;
	}
	return bytes * MAX(1u, img->nsites);
}

u32 load_ring_bytes(struct loaded *ld, bool *shrunk)
{
	const struct opt_value *o = &ld->env->opts->v[OPT_bufsize];
	u64 each = MIN((u64)o->n, 1ull << 40), most = o->set ? LOAD_RING_MAX : LOAD_RING_CAP;
	u64 total = load_pow2(each * load_ring_cpus(ld->img)), room = load_memory() / 4;

	if (!o->set)
		total = load_in_group(total, 1);         /* the least is below */
	if (!o->set && load_runs_once(ld->img))
		total = MIN(total, load_pow2(load_once_bytes(ld->img)));
	while (o->set && total > MIN(room, most)) {      /* more than possible */
		total /= 2;
		*shrunk = true;
	}
	total = load_clamp(total, o->set ? (u64)sysconf(_SC_PAGESIZE) : LOAD_RING_MIN, most);
	return total;
}

static u32 load_keyed(const struct loaded *ld)
{
	u32 naggs = 0;

	for (u32 i = 0; i < ld->img->naggs; i++)
		naggs += ld->img->aggs[i].keyed;
	return naggs;
}

/*
 * A few keyed aggregations get the full default size each, many share it: a thousand
 * bucket tables of full size are 2 GB of zeros to write.
 */
static u64 load_share(const struct loaded *ld, u64 n, u64 least)
{
	return MAX(n / (1 + load_keyed(ld) / LOAD_AGGS), least);
}

/* A power of two, as the kernel makes one of it for the buckets: 524,288 of 335,544 entries. */
static u64 load_growing(const struct loaded *ld, u64 n)
{
	u64 each = LOAD_AGGS_MOST / MAX(load_keyed(ld), 1u);

	return load_pow2(load_clamp(n, LOAD_AGGS_LEAST, MAX(each, LOAD_AGGS_LEAST)) / 2 + 1);
}

/* Has the aggregation two pairs of maps, or is this one of the second pair? */
static bool load_turns(const struct loaded *ld, const struct img_map *m, bool *second)
{
	char other[64];

	snprintf(other, sizeof(other), "%s_t", m->name);
	*second = strlen(m->name) > 2 && !strcmp(m->name + strlen(m->name) - 2, "_t");
	return *second || img_map_named(ld->img, other);
}

/*
 * Keyed aggregations are hashes with an entry per tuple and CPU.  If entries are allocated
 * on demand, only the bucket table is allocated at once (16 zeroed bytes per entry: 512k
 * entries take 2 to 4 ms, 128k half a millisecond); else all entries.
 */
static u32 load_agg_entries(struct loaded *ld, const struct img_map *m, bool grows)
{
	const struct opt_value *o = &ld->env->opts->v[OPT_aggsize];
	u64 n = (u64)o->n * libbpf_num_possible_cpus() / (m->key_size + m->val_size + 1);
	bool second, turns = load_turns(ld, m, &second);

	if (o->set)                              /* nothing is taken out of the first pair */
		return second ? 1 : load_clamp(n, 1, 16u << 20);
	if (turns)
		n = MIN(n, (u64)LOAD_AGGS_LEAST);
	n = load_share(ld, grows ? load_growing(ld, n) : load_clamp(n, 1024, 65536), 1024);
	return load_in_group(n, (LOAD_ELEMENT + ALIGN_UP(m->key_size, 8) +
				 ALIGN_UP(m->val_size, 8)) * MAX(load_keyed(ld), 1u));
}

/* Allocation on demand fails if one interrupt adds many new tuples: they go to the
 * reserve, which is preallocated.  A size given by the user is the limit. */
static u32 load_reserve_entries(struct loaded *ld, const struct img_map *m)
{
	if (opt_is_set(ld->env, OPT_aggsize))
		return 1;
	return load_share(ld, m->val_size > 256 ? 256 : 1024, 16);
}

/*
 * An associative array is preallocated, because one that grows fails in an interrupt that adds many
 * elements.  Unless a size is given, all arrays together get a share of the memory, including the
 * kernel's own bytes per element.
 */
static u32 load_var_entries(struct loaded *ld, const struct img_map *m)
{
	const struct opt_value *o = &ld->env->opts->v[OPT_dynvarsize];
	u64 n = (u64)o->n / (m->key_size + m->val_size + 1), narrays = 0;

	if (o->set)
		return load_clamp(n, 1, 16u << 20);
	for (u32 i = 0; i < ld->img->nmaps; i++)
		narrays += ld->img->maps[i].role == ROLE_assoc;
	u64 each =
		load_clamp(load_memory() / LOAD_VARS_PART, 0, LOAD_VARS_CAP) / MAX(narrays, 1ull);

	return MAX(load_clamp(n, 1024, 16u << 20),
		   each / (LOAD_ELEMENT + ALIGN_UP(m->key_size, 8) + ALIGN_UP(m->val_size, 8)));
}

/* What the kernel takes for an element of this size: it has sizes of powers of two, 96 and 192. */
static u64 load_allocated(u64 n)
{
	u64 size = load_pow2(n);

	return size > 256 || n > size / 4 * 3 ? size : size / 4 * 3;
}

/*
 * Different stacks of each depth.  All stores together may get so large; memory is used only for
 * stacks that are there.
 */
static u32 load_stack_entries(struct loaded *ld, bool grows)
{
	struct opt_value *o = &ld->env->opts->v[OPT_nstacks];
	u64 each = 0, room = MIN(load_memory() / LOAD_STACKS_PART, (u64)LOAD_STACKS_CAP);

	for (u32 i = 0; i < ld->img->nmaps && !o->set; i++) {
		const struct img_map *m = &ld->img->maps[i];

		if (m->role == ROLE_stack)
			each += load_allocated(m->key_size + m->val_size + LOAD_ELEMENT);
	}
	if (!o->set)                             /* messages name it */
		o->n = (s64)(grows ? MAX(room / MAX(each, 1ull), (u64)LOAD_STACKS_LEAST)
				   : LOAD_STACKS_LEAST);
	return (u32)o->n;
}

/* Slots of a keyless aggregation: a power of two, at least one per CPU. */
u32 load_slots(void)
{
	return load_pow2(libbpf_num_possible_cpus());
}

bool load_map_grows(struct loaded *ld, const struct img_map *m)
{
	bool is_stack = m->role == ROLE_stack && !opt_is_set(ld->env, OPT_nstacks);

	return m->type == BPF_MAP_TYPE_HASH && (is_stack || m->role == ROLE_agg) &&
	       env_has(ld->env, FEAT_HASH_ALLOC);
}

u32 load_map_entries(struct loaded *ld, const struct img_map *m, bool grows)
{
	if (m->max_entries || m->type == BPF_MAP_TYPE_TASK_STORAGE)
		return 0;
	if (m->role == ROLE_aggreserve)
		return load_reserve_entries(ld, m);
	if (m->role == ROLE_agg)
		return load_agg_entries(ld, m, grows);
	if (m->role == ROLE_stack)
		return load_stack_entries(ld, grows);
	if (m->role == ROLE_spec)
		return load_clamp(opt_num(ld->env, OPT_nspec), 0, DTX_SPEC_MAX) + 1;
	if (m->role == ROLE_scratch)
		return libbpf_num_possible_cpus() * DTX_NEST_MAX;
	return m->type == BPF_MAP_TYPE_HASH ? load_var_entries(ld, m) : 0;
}

int load_role_fd(struct loaded *ld, u32 role)
{
	return load_map_fd(ld, maproles[role].name);
}

int load_map_fd(struct loaded *ld, const char *map)
{
	struct bpf_map *m = bpf_object__find_map_by_name(ld->obj, map);
	return m ? bpf_map__fd(m) : -ENOENT;
}
