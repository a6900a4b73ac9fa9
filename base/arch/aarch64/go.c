/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * go.c - arm64: frames of Go's functions ("Go internal ABI specification": Stack layout).  The
 * return address is at the stack pointer, the caller's frame pointer in the word below it.
 */
#include "base/arch/golink.h"

void arch_go_keeps_fp(struct dtx_uw_rule *r)
{
	if (r->kind != DTX_UW_CFA || r->reg != ARCH_DWARF_SP || r->off <= 0 ||
	    (r->based && r->base != ARCH_DWARF_SP))
		return;
	r->base = ARCH_DWARF_SP;
	r->based |= 1u << DTX_UW_FP;
	r->at[DTX_UW_FP] = -8;
}

/* The frame pointer leads back, but does not say where the caller's stack pointer is: from there on
 * frames are found by their pointers. */
const struct dtx_uw_rule arch_go_switch = { .kind = DTX_UW_NONE };
