/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stacktake.c - a thread empties the program's tables of stacks while they fill.
 *
 * It waits for nothing else: the thread that traces may be busy for seconds, with unwind tables or
 * with rows to print.  If the option nstacks asks for few, it is a limit: they are not emptied.
 */
#include <pthread.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include <dtx/base.h>
#include <dtx/opt.h>
#include <dtx/stack.h>
#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/value/decode.h"
#include "runtime/kernel/kernel.h"

#define TAKE_PERIOD  100         /* ms */
#define TAKE_BATCH   256         /* stacks at once */
#define TAKE_MANY    8192u       /* in the tables: they are emptied … */
#define TAKE_SHARE   4           /* … or at this share of what they hold */
#define TAKE_PART    16          /* kept are at most this share of the memory … */
#define TAKE_CAP     (88u << 20)         /* … and so many bytes */
#define TAKE_LEAST   16384       /* with fewer (nstacks) the tables are the limit */

struct table {
	int fd;
	u32 depth, bytes;        /* of a stack */
};

struct stacktake {
	struct loaded *ld;
	VEC(struct table) tables;
	u32 taken;               /* stacks that the programs had made when it last looked */
	u32 many;
	size_t most;
	volatile bool full;
	struct stackstore *store;
	pthread_mutex_t lock;    /* of the store */
	struct periodic thread;
};

/* ---- taking ------------------------------------------------------------------------- */

struct taking {
	struct stackstore *store;
	u32 depth;
};

static void take_stack(void *arg, void *id, void *stack)
{
	struct taking *k = arg;

	stackstore_put(k->store, *(u64 *)id, k->depth, stack);
}

static void take_table(struct stackstore *st, const struct table *t)
{
	struct map_rows rows = { t->fd, sizeof(u64), t->bytes, TAKE_BATCH,
				 TAKE_BATCH << 10 };

	map_empty(&rows, take_stack, &(struct taking){ st, t->depth });
}

static void take(void *arg)
{
	struct stacktake *k = arg;
	u32 made = ((volatile struct dtx_ctl *)k->ld->ctl)->stacks;

	k->full = stackstore_bytes(k->store) > k->most;
	if (made - k->taken < k->many || k->full)
		return;
	pthread_mutex_lock(&k->lock);
	for (u32 i = 0; i < k->tables.n; i++)
		take_table(k->store, &k->tables.v[i]);
	stackstore_write(k->store);
	pthread_mutex_unlock(&k->lock);
	k->taken = made;
}

/* ---- life ----------------------------------------------------------------------------- */

static void take_tables(struct stacktake *k)
{
	const struct img *img = k->ld->img;

	for (u32 i = 0; i < img->nmaps; i++) {
		const struct img_map *m = &img->maps[i];
		struct table t = { .bytes = m->val_size };

		if (m->role != ROLE_stack || m->val_size < sizeof(struct dtx_stack))
			continue;
		t.depth = (m->val_size - sizeof(struct dtx_stack)) / sizeof(u64);
		t.fd = load_map_fd(k->ld, m->name);
		if (t.fd >= 0)
			VEC_PUSH(&k->tables, t);
	}
}

int stacktake_start(struct loaded *ld)
{
	struct stacktake *k = ld->stacks = xcalloc(1, sizeof(*k));
	s64 most = opt_num(ld->env, OPT_nstacks);
	bool limited;

	k->ld = ld;
	k->store = stackstore_new();
	k->many = MAX(MIN(TAKE_MANY, (u32)most / TAKE_SHARE), 1u);
	k->most = MIN(env_memory(&limited) / TAKE_PART, (u64)TAKE_CAP);
	pthread_mutex_init(&k->lock, NULL);
	take_tables(k);
	if ((opt_is_set(ld->env, OPT_nstacks) && most < TAKE_LEAST) || !k->tables.n)
		return 0;
	return periodic_start(&k->thread, TAKE_PERIOD, take, k);
}

void stacktake_end(struct loaded *ld)
{
	struct stacktake *k = ld->stacks;

	if (!k)
		return;
	periodic_end(&k->thread);
	VEC_FREE(&k->tables);
	stackstore_free(k->store);
	pthread_mutex_destroy(&k->lock);
	free(k);
	ld->stacks = NULL;
}

size_t stacktake_bytes(struct loaded *ld)
{
	struct stacktake *k = ld->stacks;
	size_t bytes;

	if (!k)
		return 0;
	pthread_mutex_lock(&k->lock);
	bytes = stackstore_bytes(k->store);
	pthread_mutex_unlock(&k->lock);
	return bytes;
}

u32 stacktake_full(const struct loaded *ld)
{
	const struct stacktake *k = ld->stacks;

	return k && k->full ? k->most >> 20 : 0;
}

bool stacktake_find(struct loaded *ld, u64 id, u32 depth, struct dtx_stack *s)
{
	struct stacktake *k = ld->stacks;
	bool found = false;
	int fd = -1;

	for (u32 i = 0; k && i < k->tables.n; i++)
		if (k->tables.v[i].depth == depth)
			fd = k->tables.v[i].fd;
	if (fd < 0)
		return false;
	pthread_mutex_lock(&k->lock);
	for (u32 i = 0; i < DTX_STACK_PLACES && !found; i++) {
		u64 at = DTX_STACK_AT(id, i);

		found = stackstore_get(k->store, at, depth, s) || !bpf_map_lookup_elem(fd, &at, s);
	}
	pthread_mutex_unlock(&k->lock);
	return found;
}
