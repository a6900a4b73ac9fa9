/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * guard.bpf.c - instructions that sometimes do what their probe waits for (struct dtx_guard): a
 * jump leaves its function or stays in it; the entry of a function is called, or a loop comes back
 * to it.
 *
 * A thread that goes back to an entry is kept with its stack pointer until it is there, so calls by
 * a handler of signals that runs between the two are not taken for turns.
 */
#include "dtx.bpf.h"

extern char dtx_turns[], dtx_late[];

/* A register of the context; its place is not a constant. */
static inline __attribute__((always_inline)) u64 guard_reg(void *ctx, s64 off)
{
	u64 v = 0;

	if (off >= 0 && off < 512)
		bpf_probe_read_kernel(&v, sizeof(v), ctx + off);
	return v;
}

static inline __attribute__((always_inline)) bool guard_leaves(void *ctx, const struct dtx_guard *g)
{
	u64 ip = CTX_WORD(ctx, ARCH_REG_IP);
	u64 to = guard_reg(ctx, g->reg) + guard_reg(ctx, g->index) * g->scale + g->disp;
	bool inside = false;

	if (g->from_ip)
		to += ip;
	if (g->in_memory && bpf_probe_read_user(&to, sizeof(to), (void *)to))
		return false;            /* the program will fault there itself */
	for (u32 i = 0; i < DTX_GUARD_RANGES; i++)
		inside |= (s64)(to - ip) >= g->range[i][0] && (s64)(to - ip) < g->range[i][1];
	return !inside;
}

/* 1: the probe fires. */
DTX_SUB u64 guard_passes(void *ctx, u32 prog, const struct dtx_guard *g)
{
	u64 sp = CTX_WORD(ctx, ARCH_REG_SP), *kept;
	struct dtx_turn key = { bpf_get_current_pid_tgid(), prog };
	bool taken = g->cond == DTX_GUARD_ALWAYS || arch_condition(ctx, g->cond);

	switch (g->what) {
	case DTX_GUARD_LEAVES:
		return g->indirect ? guard_leaves(ctx, g) : taken;
	case DTX_GUARD_TURN:
		if (taken)
			bpf_map_update_elem(dtx_turns, &key, &sp, BPF_ANY);
		return false;
	case DTX_GUARD_CALL:
		kept = bpf_map_lookup_elem(dtx_turns, &key);
		if (!kept)
			return true;
		taken = *kept == sp;
		bpf_map_delete_elem(dtx_turns, &key);
		return !taken;
	}
	return true;
}

DTX_FN u64 dtx_guard(struct dtx_mst *m, const struct dtx_guard *g)
{
	return guard_passes(m->ctx, m->prog, g);
}

/* Of a probe that was found at run time. */
DTX_FN u64 dtx_late_guard(struct dtx_mst *m)
{
	u32 probe = m->probe;
	struct dtx_late *l = bpf_map_lookup_elem(dtx_late, &probe);

	return l ? guard_passes(m->ctx, m->prog, &l->guard) : 0;
}
