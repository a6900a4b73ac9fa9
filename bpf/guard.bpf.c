/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * guard.bpf.c - instructions that sometimes do what their probe waits for (struct dtx_guard): a
 * jump leaves its function or stays in it; the entry of a function is called, or a loop comes back
 * to it; or a return that waits for the end of the function to which its own has jumped.
 *
 * A thread that goes back to an entry is kept with its stack pointer until it is there, so calls by
 * a handler of signals that runs between the two are not taken for turns.
 */
#include "dtx.bpf.h"

extern char dtx_turns[], dtx_late[], dtx_waits[];

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

/* Where the target of a jump is kept; 0: the jump says it itself. */
static inline __attribute__((always_inline)) u64 wait_slot(void *ctx, const struct dtx_guard *g)
{
	return g->slot ? CTX_WORD(ctx, ARCH_REG_IP) + g->slot : 0;
}

#define WAIT_AGAIN 1000000000ull         /* ns after a call that went elsewhere */

/* The jump: the call is kept.  The last one may have gone to another function than those that were
 * found: this one is not waited for then. */
static inline __attribute__((always_inline)) u64 wait_begins(void *ctx, const struct dtx_guard *g,
							     const struct dtx_wait_key *key,
							     const struct dtx_wait *last)
{
	struct dtx_wait w = {
		.since = bpf_ktime_get_ns(), .jumping = 1, .slot = wait_slot(ctx, g),
	};

	if (!dtx_active() && !dtx_watched())     /* the other places may not be there yet */
		return false;
	if (last && last->jumping && w.since - last->since < WAIT_AGAIN)
		return true;
	if (last && last->jumping)
		w.lost = last->lost + 1;
	if (bpf_probe_read_user(&w.ret, sizeof(w.ret), (void *)key->sp))
		return true;
	return bpf_map_update_elem(dtx_waits, key, &w, BPF_ANY) != 0;
}

/* An entry: did the call jump here?  If it was in the function already, it never returned. */
static inline __attribute__((always_inline)) void wait_arrives(void *ctx,
							       const struct dtx_wait_key *key,
							       struct dtx_wait *w)
{
	u64 to = 0, ip = CTX_WORD(ctx, ARCH_REG_IP);

	if (!w->jumping)
		bpf_map_delete_elem(dtx_waits, key);
	else if (!w->slot || (!bpf_probe_read_user(&to, sizeof(to), (void *)w->slot) && to == ip))
		w->jumping = 0;
}

/* An end: is it that of the call which jumped? */
static inline __attribute__((always_inline)) u64 wait_ends(const struct dtx_wait_key *key,
							   const struct dtx_wait *w)
{
	u64 ret = 0;

	if (w->jumping || bpf_probe_read_user(&ret, sizeof(ret), (void *)key->sp) || ret != w->ret)
		return false;
	return !bpf_map_delete_elem(dtx_waits, key);
}

DTX_SUB u64 wait_passes(void *ctx, const struct dtx_guard *g)
{
	struct dtx_wait_key key = {
		.jump = g->jump, .sp = CTX_WORD(ctx, ARCH_REG_SP),
		.process = bpf_get_current_pid_tgid() >> 32, .part = g->part,
	};
	struct dtx_wait *w;

	if (g->cond != DTX_GUARD_ALWAYS && !arch_condition(ctx, g->cond))
		return false;
	w = bpf_map_lookup_elem(dtx_waits, &key);
	if (g->what == DTX_GUARD_WAIT)
		return wait_begins(ctx, g, &key, w);
	if (!w)
		return false;
	if (g->what == DTX_GUARD_END)
		return wait_ends(&key, w);
	if (g->what == DTX_GUARD_ARRIVE) {
		wait_arrives(ctx, &key, w);
	} else if (g->what == DTX_GUARD_STRAY) {
		return !w->jumping && guard_leaves(ctx, g) &&
		       !bpf_map_delete_elem(dtx_waits, &key);
	} else {
		w->slot = wait_slot(ctx, g);
		w->jumping = 1;
	}
	return false;
}

DTX_FN u64 dtx_wait_guard(struct dtx_mst *m, const struct dtx_guard *g)
{
	return g->what < DTX_GUARD_WAIT ? guard_passes(m->ctx, m->prog, g) :
	       wait_passes(m->ctx, g);
}

/* Of a probe that was found at run time. */
DTX_FN u64 dtx_late_guard(struct dtx_mst *m)
{
	u32 probe = m->probe;
	struct dtx_late *l = bpf_map_lookup_elem(dtx_late, &probe);

	return l ? guard_passes(m->ctx, m->prog, &l->guard) : 0;
}
