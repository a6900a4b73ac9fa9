/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * late.bpf.c - probes found at run time: their arguments, names and numbers are in a map, by
 * the index of the probe, which is the attach cookie.
 */
#include "dtx.bpf.h"

extern char dtx_late[];

static inline __attribute__((always_inline)) struct dtx_late *late_get(u32 probe)
{
	return bpf_map_lookup_elem(dtx_late, &probe);
}

/* A register of the context, which is a struct pt_regs; its place is not a constant. */
static inline __attribute__((always_inline)) u64 late_reg(void *ctx, s32 off)
{
	u64 v = 0;

	if (off >= 0 && off < 512)
		bpf_probe_read_kernel(&v, sizeof(v), ctx + off);
	return v;
}

/* The low `size` bytes. */
static inline __attribute__((always_inline)) u64 late_narrow(u64 v, u64 size, bool is_signed)
{
	u32 spare = (64 - 8 * size) & 63;

	return is_signed ? (u64)((s64)(v << spare) >> spare) : v << spare >> spare;
}

/* Argument n of the probe; fault[0]: why it cannot be read, fault[1]: the address. */
DTX_SUB u64 late_arg(void *ctx, u32 probe, u32 n, u64 *fault)
{
	struct dtx_late *l = late_get(probe);
	struct dtx_late_arg *a;
	u64 v = 0, at, size;

	if (!l || n >= DTX_MAX_ARGS || n >= l->nargs)
		return 0;
	a = &l->args[n];
	size = a->size;
	if (a->loc == DTX_LATE_CONST)
		return a->value;
	if (a->loc == DTX_LATE_GONE)
		fault[0] = DTX_FAULT_TAIL + 1;
	if (a->loc == DTX_LATE_REG)
		return late_narrow(late_reg(ctx, a->off) >> (a->value & 63), size, a->is_signed);
	barrier_var(size);
	if (a->loc != DTX_LATE_MEM || size > sizeof(v))
		return 0;
	at = late_reg(ctx, a->off) + late_reg(ctx, a->index) * a->scale + a->value;
	if (bpf_probe_read_user(&v, size, USER_AT(at))) {
		fault[0] = DTX_FAULT_BADADDR + 1;
		fault[1] = at;
	}
	return late_narrow(v, size, a->is_signed);
}

DTX_FN u64 dtx_late_arg(struct dtx_mst *m, u32 n)
{
	u64 fault[2] = { 0, 0 }, v = late_arg(m->ctx, m->probe, n, fault);

	if (fault[0]) {
		m->fault = fault[0];
		m->fault_val = fault[1];
	}
	return v;
}

/* One of enum dtx_late_text, at most DTX_LATE_TEXT bytes; `none` when nothing is known. */
DTX_FN const char *dtx_late_text(struct dtx_mst *m, u32 which, const char *none)
{
	struct dtx_late *l = late_get(m->probe);

	return l ? l->text[which] : none;
}

DTX_FN u64 dtx_late_id(struct dtx_mst *m)
{
	struct dtx_late *l = late_get(m->probe);

	return l ? l->id : 0;
}
