/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackjit.c - unwind tables for code without a file: answers what bpf/stack/jit.bpf.c asks, out of
 * the memory of the process.
 *
 * Such code comes and goes, with each query of a database server for example.  So places are kept
 * in a ring: the oldest one is forgotten, here and in the kernel, and its number of a table is used
 * again.
 */
#include <stdlib.h>

#include <bpf/bpf.h>

#include <dtx/base.h>
#include <dtx/stack.h>
#include <dtx/unwind.h>
#include <dtx/tables/maprole.h>

#include "runtime/run/run.h"
#include "runtime/unwind/unwind.h"

#define SLOTS         512
/* A slot is emptied so many answers before it is used again: no program has its number by then. */
#define SLOTS_EMPTY   8
#define FREE_NS       20000000ull        /* for searching; after that a hundredth of the time */
#define SHARE         100
#define LATER_NS      1000000000ull      /* when too much was searched */
#define FOUND_WAIT    (5 * DTX_JIT_WAIT)

/* A place that was asked for. */
struct slot {
	struct dtx_jit_key key;
	u32 table;                       /* for this place or the next one; DTX_TABLE_NONE: none */
	u64 bytes;                       /* of it */
};

struct jits {
	struct unwindmaps *maps;
	int map;
	u64 begun, spent;                /* ns */
	u32 next;
	struct slot slots[SLOTS];
};

static bool same_place(const struct dtx_jit_key *a, const struct dtx_jit_key *b)
{
	return a->mm == b->mm && a->start == b->start && a->pid == b->pid;
}

/* The slot for a place: its own, else the next one. */
static struct slot *slot_of(struct jits *j, const struct dtx_jit_key *key)
{
	struct slot *old = &j->slots[(j->next + SLOTS_EMPTY) % SLOTS], *s;

	for (u32 i = 0; i < SLOTS; i++)
		if (same_place(&j->slots[i].key, key))
			return &j->slots[i];
	s = &j->slots[j->next++ % SLOTS];
	s->key = *key;
	if (old->key.mm)
		bpf_map_delete_elem(j->map, &old->key);
	old->key = (struct dtx_jit_key){ 0 };
	return s;
}

static u32 put(struct jits *j, struct slot *s, const struct unwind_table *t)
{
	u32 number = unwindmaps_put(j->maps, t, "code made at run time", s->table, s->bytes);

	if (number != DTX_TABLE_NONE) {
		s->table = number;
		s->bytes = unwind_size(t);
	}
	return number;
}

void jits_answer(struct jits *j, const struct dtx_sight *s)
{
	struct dtx_jit_key key = { .mm = s->key.ino, .start = s->start, .pid = s->pid };
	u64 now = clock_ns(CLOCK_MONOTONIC);
	struct dtx_jit answer = { .wait = DTX_JIT_WAIT };
	struct slot *slot;
	struct unwind_table *t = NULL;
	const char *why;

	if (!j)
		return;
	slot = slot_of(j, &key);
	bpf_map_lookup_elem(j->map, &key, &answer);
	answer.end = s->end;
	if (j->spent < FREE_NS + (now - j->begun) / SHARE) {
		t = unwind_process(s->pid, s->start, &answer, &why);
		j->spent += clock_ns(CLOCK_MONOTONIC) - now;
		answer.table = t ? put(j, slot, t) : DTX_TABLE_NONE;
		answer.wait = t ? FOUND_WAIT : answer.wait;
	} else {
		answer.wait = MAX(answer.wait, LATER_NS);
		if (answer.table == DTX_TABLE_MAKING)
			answer.table = DTX_TABLE_NONE;
	}
	bpf_map_update_elem(j->map, &key, &answer, BPF_ANY);
	unwind_free(t);
}

struct jits *jits_new(struct dtx_session *s, struct unwindmaps *maps)
{
	int map = load_role_fd(&s->ld, ROLE_jits);
	struct jits *j;

	if (map < 0)
		return NULL;
	j = xcalloc(1, sizeof(*j));
	j->maps = maps;
	j->map = map;
	j->begun = clock_ns(CLOCK_MONOTONIC);
	for (u32 i = 0; i < SLOTS; i++)
		j->slots[i].table = DTX_TABLE_NONE;
	return j;
}

void jits_free(struct jits *j)
{
	free(j);
}
