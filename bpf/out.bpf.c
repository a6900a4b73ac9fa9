/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * out.bpf.c - records and losses; scratch slots; state of the session.
 *
 * A scratch slot belongs to one firing: programs that interrupt each other on a CPU,
 * and programs that preempt each other there, claim different levels.
 * Why: docs/decisions/01-preemption.md
 */
#include "dtx.bpf.h"

DTX_GLOBAL u64 dtx_g_drop(u64 prog, u64 probe, u64 which)
{
	drop_count(prog, probe, which);
	return 0;
}

DTX_FN void dtx_drop(struct dtx_mst *m, u32 which)
{
	dtx_g_drop(m->prog, m->probe, which);
}

/* Counts a firing of a perf event, in any state: loss.c compares the count with the expected
 * one. */
DTX_FN void dtx_ran(struct dtx_mst *m)
{
	u32 key = dtx_opt_drops ? m->probe : m->prog;
	u64 *v = bpf_map_lookup_elem(dtx_runs, &key);

	if (v)
		__sync_fetch_and_add(v, 1);
}

DTX_FN bool dtx_active(void)
{
	u32 state = dtx_ctl.state;

	if (__builtin_expect(state == DTX_STATE_ACTIVE, 1))
		return 1;
	return state == DTX_STATE_ACTIVE_CPU && dtx_ctl.only_cpu == (u32)cpu_number() + 1;
}

/* As active, while nothing was shown: the end of a run without output tells what fired. */
DTX_FN bool dtx_watched(void)
{
	return dtx_ctl.state == DTX_STATE_WATCHED;
}

DTX_FN void dtx_mark(struct dtx_mst *m)
{
	volatile u8 *fired = &dtx_ctl.fired[m->probe & (DTX_FIRED - 1)];

	if (!*fired)                     /* CPUs do not take the line from each other */
		*fired = 1;
}

/* The last exit() sets the status of dtx: that of END, if it has one; there it ends no clauses. */
DTX_FN void dtx_exit(struct dtx_mst *m, s32 status)
{
	dtx_ctl.exit_status = status;
	dtx_ctl.exit_called = 1;
	if (dtx_ctl.state < DTX_STATE_DRAINING)
		dtx_ctl.state = DTX_STATE_DRAINING;
	m->exited = dtx_ctl.state != DTX_STATE_ENDING;
}

DTX_FN void dtx_send(struct dtx_mst *m, char *rec, u64 len)
{
	if (!bpf_ringbuf_output(dtx_ring, rec, len, 0))
		return;
	dtx_g_drop(m->prog, m->probe, DTX_DROP_PRINCIPAL);
	if (dtx_ctl.fill &&
	    dtx_ctl.state - DTX_STATE_ACTIVE <= DTX_STATE_WATCHED - DTX_STATE_ACTIVE) {
		dtx_ctl.exit_called = 1;
		dtx_ctl.state = DTX_STATE_DRAINING;
	}
}

/* Fills the header; the caller fills the rest. */
DTX_FN void dtx_rec(struct dtx_mst *m, struct dtx_rec *r)
{
	r->site = m->site;
	r->probe = m->probe;
	r->cpu = cpu_number();
	r->flags = m->spec;
}

/* ---- scratch slots ------------------------------------------------------------- */

/* Level claimed on this CPU, DTX_NEST_MAX: none is free. */
static inline __attribute__((always_inline)) u32 claim_level(u64 *levels)
{
	u32 i = 0;

	if (!dtx_opt_atomics) {
		/* Such kernels run programs without preemption: levels nest. */
		i = *levels;
		if (i < DTX_NEST_MAX)
			*levels = i + 1;
		return i;
	}
#pragma unroll
	for (i = 0; i < DTX_NEST_MAX; i++)
		if (!(__sync_fetch_and_or(levels, 1ull << i) & 1ull << i))
			break;
	return i;
}

/*
 * The level is stored in the slot itself, after the part used by the program: the
 * verifier does not track the memory of maps, so it does not follow each level
 * separately.
 */
DTX_SUB char *out_claim(void)
{
	u32 cpu = cpu_number() & (DTX_MAX_CPUS - 1);
	u32 level = claim_level(dtx_nest[cpu]), slot = cpu * DTX_NEST_MAX + level;
	char *p;

	if (level >= DTX_NEST_MAX)
		return NULL;
	p = bpf_map_lookup_elem(dtx_scratch, &slot);
	if (p)
		*(u32 *)(p + dtx_opt_scratch) = level;
	return p;
}

/* The firing's slot; NULL: none is free, and the loss is counted. */
DTX_FN char *dtx_claim(struct dtx_mst *m)
{
	if (m->scratch)
		return m->scratch;
	m->scratch = out_claim();
	if (!m->scratch)
		dtx_g_drop(m->prog, m->probe, DTX_DROP_NEST);
	return m->scratch;
}

DTX_FN void dtx_release(struct dtx_mst *m)
{
	u64 *levels;
	u32 level;

	if (!m->scratch)
		return;
	levels = dtx_nest[cpu_number() & (DTX_MAX_CPUS - 1)];
	level = *(u32 *)(m->scratch + dtx_opt_scratch);
	if (dtx_opt_atomics)
		__sync_fetch_and_and(levels, ~(1ull << level));
	else
		*levels = level;
}
