/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * spec.bpf.c - speculations: allocating numbers, counting data, ending (states in
 * abi.h).
 *
 * A speculation ends when the record of its commit() or discard() is sent: a clause
 * that faults earlier does not end it.
 */
#include "dtx.bpf.h"

/* Without compare-and-exchange in the kernel, two CPUs may get the same number. */
static inline __attribute__((always_inline)) bool spec_move(struct dtx_spec *s, u32 from, u32 to)
{
	if (dtx_opt_atomics)
		return __sync_val_compare_and_swap(&s->state, from, to) == from;
	if (*(volatile u32 *)&s->state != from)
		return 0;
	*(volatile u32 *)&s->state = to;
	return 1;
}

static inline __attribute__((always_inline)) struct dtx_spec *spec_find(u64 id)
{
	u32 key = id;

	if (!id || id > DTX_SPEC_MAX)
		return NULL;
	return bpf_map_lookup_elem(dtx_specs, &key);
}

#define SPEC_BLOCK   32
#define SPEC_ENDING  (1ull << 32)      /* some are ending */
#define SPEC_END     (1ull << 33)      /* there are no more */

/* The first free one of a block of numbers, or SPEC_… */
DTX_GLOBAL u64 dtx_g_spec_block(u64 from)
{
	u64 ending = 0;

	for (u64 i = 0; i < SPEC_BLOCK; i++) {
		struct dtx_spec *s;
		u32 key;

		barrier_var(i);          /* counted in a register, for the verifier */
		key = from + i;
		s = bpf_map_lookup_elem(dtx_specs, &key);
		if (!s)
			return ending | SPEC_END;
		if (spec_move(s, DTX_SPEC_FREE, DTX_SPEC_ACTIVE)) {
			s->turn = s->turn % 0xffff + 1;  /* 0: never allocated */
			s->used = 0;
			return key;
		}
		if (s->state > DTX_SPEC_ACTIVE)
			ending = SPEC_ENDING;
	}
	return ending;
}

/* The first free number; 0: none, -1: all are in use, but some are ending.  Numbers come in blocks:
 * the verifier follows the function of a block once. */
DTX_GLOBAL s64 dtx_g_spec_new(void)
{
	u64 ending = 0, found;

	for (u64 from = 1; from <= DTX_SPEC_MAX; from += SPEC_BLOCK) {
		barrier_var(from);
		found = dtx_g_spec_block(from);
		if (found && found < SPEC_ENDING)
			return found;
		ending |= found;
		if (found & SPEC_END)
			break;
	}
	return ending & SPEC_ENDING ? -1 : 0;
}

DTX_FN s32 dtx_speculation(struct dtx_mst *m)
{
	s32 id = dtx_g_spec_new();

	if (id > 0)
		return id;
	dtx_drop(m, id < 0 ? DTX_DROP_SPECBUSY : DTX_DROP_SPECUNAVAIL);
	return 0;
}

/* The records of the clause belong to the speculation; 0: no such speculation. */
DTX_FN u64 dtx_speculate(struct dtx_mst *m, u64 id)
{
	struct dtx_spec *s = spec_find(id);

	if (!s || s->state != DTX_SPEC_ACTIVE)
		return 0;
	m->spec = DTX_SPEC_TAG(id, s->turn);
	return m->spec;
}

/* dtx_send() of a clause that may have called speculate(). */
DTX_FN void dtx_send_spec(struct dtx_mst *m, char *rec, u64 len)
{
	struct dtx_spec *s;
	u64 used;

	if (!m->spec) {
		dtx_send(m, rec, len);
		return;
	}
	s = spec_find(m->spec & 0xffff);
	if (!s || s->turn != m->spec >> 16)
		return;                  /* ended long ago */
	if (dtx_opt_atomics) {
		used = __sync_fetch_and_add(&s->used, len);
	} else {
		used = *(volatile u64 *)&s->used;
		__sync_fetch_and_add(&s->used, len);
	}
	if (used + len > dtx_ctl.specsize) {
		__sync_fetch_and_add(&s->used, -len);
		dtx_drop(m, DTX_DROP_SPEC);
		return;
	}
	dtx_send(m, rec, len);
}

/* commit() and discard() of a number above nspec, or a negative one. */
DTX_FN void dtx_spec_given(struct dtx_mst *m, u64 id)
{
	if (id && !spec_find(id)) {
		m->fault = DTX_FAULT_ILLOP + 1;
		m->fault_val = id;
	}
}

/* Ends it; returns what the consumer must commit or discard, 0: nothing. */
DTX_FN u64 dtx_spec_end(struct dtx_mst *m, u64 id, u32 state)
{
	struct dtx_spec *s = spec_find(id);

	if (!s || !spec_move(s, DTX_SPEC_ACTIVE, state))
		return 0;
	return DTX_SPEC_TAG(id, s->turn);
}
