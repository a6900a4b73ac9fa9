/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * pc.bpf.c - where a timer interrupted its CPU: arg0 and arg1 of profile probes.
 *
 * The context begins with the registers.
 */
#include "dtx.bpf.h"

static inline __attribute__((always_inline)) u64 pc(void *ctx, bool user)
{
	bool was_user = ARCH_IS_USER(CTX_WORD(ctx, ARCH_REG_MODE));
	u64 ip = CTX_WORD(ctx, ARCH_REG_IP);

	return was_user == user ? ip : 0;
}

DTX_FN u64 dtx_arg_kpc(void *ctx)
{
	return pc(ctx, false);
}

/* The program counter of a program run by bpf(2), not by an interrupt or a function. */
DTX_FN u64 dtx_arg_own_pc(void *ctx)
{
	u64 ip = 0;

	bpf_get_stack(ctx, &ip, sizeof(ip), 1);
	return ip;
}

DTX_FN u64 dtx_arg_upc(void *ctx)
{
	return pc(ctx, true);
}
