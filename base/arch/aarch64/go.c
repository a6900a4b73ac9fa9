/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * go.c - arm64: frames of Go's functions ("Go internal ABI specification": Stack layout).  The
 * return address is at the stack pointer, the caller's frame pointer in the word below it.
 */
#define GO_PUSHED 16             /* the stack pointer stays aligned */
#include "base/arch/golink.h"

#define UNKNOWN 18               /* x18 of a caller */

void arch_go_keeps_fp(struct dtx_uw_rule *r)
{
	if (r->kind != DTX_UW_CFA || r->reg != ARCH_DWARF_SP || r->off <= 0 ||
	    (r->based && r->base != ARCH_DWARF_SP))
		return;
	r->base = ARCH_DWARF_SP;
	r->based |= 1u << DTX_UW_FP;
	r->at[DTX_UW_FP] = -8;
}

/* The frame pointer is zero there.  The frame that called is that of runtime.systemstack or
 * asmcgocall itself, on the goroutine's stack: 16 bytes. */
const struct dtx_uw_rule arch_go_switch = {
	.kind = DTX_UW_GOROUTINE, .reg = UNKNOWN, .off = 16, .flags = DTX_UW_ELSEWHERE,
	.saved = 1u << DTX_UW_RA | 1u << DTX_UW_FP,
	.at = { [DTX_UW_RA] = -16, [DTX_UW_FP] = -24 },
};

/* What was kept of the function that calls, whose frame is not made, is in its runtime.gobuf. */
const struct dtx_uw_rule arch_go_grow = { .kind = DTX_UW_GOBUF, .reg = UNKNOWN };

/* Functions that call the vDSO keep the frame pointer: it is 8 below what the stack pointer was,
 * where the return address is. */
bool arch_go_switched(const struct dtx_uw_rule *framed, struct dtx_uw_rule *r)
{
	if (framed->kind != DTX_UW_CFA || framed->reg != ARCH_DWARF_SP || framed->off <= 0)
		return false;
	*r = (struct dtx_uw_rule){
		.kind = DTX_UW_CFA, .reg = ARCH_DWARF_FP, .off = framed->off + 8,
		.flags = DTX_UW_ELSEWHERE, .base = ARCH_DWARF_FP,
		.based = 1u << DTX_UW_RA | 1u << DTX_UW_FP,
		.at = { [DTX_UW_RA] = 8, [DTX_UW_FP] = 0 },
	};
	return true;
}
