/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stack.bpf.c - stacks by reference, their depth, the caller.
 */
#include "dtx.bpf.h"

#define STACK_FRAMES 127         /* PERF_MAX_STACK_DEPTH */

/* Only the return value of the helper is used: programs may share the map. */
static u64 stack_room[STACK_FRAMES];

DTX_FN s32 dtx_stackid(struct dtx_mst *m, void *map, u64 flags)
{
	s32 id = bpf_get_stackid(m->ctx, map, flags);

	if (id == -17 /* EEXIST: another stack is in its place */ || id == -12 /* ENOMEM */)
		dtx_drop(m, DTX_DROP_STACK);
	return id;
}

static inline __attribute__((always_inline)) u32 stack_count(void *ctx, u64 flags)
{
	s64 n = bpf_get_stack(ctx, stack_room, sizeof(stack_room), flags);

	return n > 0 ? n / 8 : 0;
}

DTX_FN u64 dtx_depth(struct dtx_mst *m, u64 flags)
{
	return stack_count(m->ctx, flags);
}

/* Second frame of the stack. */
DTX_FN u64 dtx_frame2(struct dtx_mst *m, u64 flags)
{
	u64 pc[2] = { 0, 0 };

	bpf_get_stack(m->ctx, pc, sizeof(pc), flags);
	return pc[1];
}

/* The context begins with the registers. */
DTX_FN u64 dtx_return_address(void *ctx)
{
	return arch_return_address(ctx);
}
