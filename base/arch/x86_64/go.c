/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * go.c - x86-64: frames of Go's functions ("Go internal ABI specification": Stack layout).
 */
#include <dtx/arch.h>
#include <dtx/unwind.h>

void arch_go_rule(s64 size, struct dtx_uw_rule *r)
{
	*r = (struct dtx_uw_rule){
		.kind = DTX_UW_CFA, .reg = ARCH_DWARF_SP, .off = (s32)size + 8,
		.saved = 1u << DTX_UW_RA, .at = { [DTX_UW_RA] = -8 },
	};
}

/* A frame begins with the caller's frame pointer. */
void arch_go_keeps_fp(struct dtx_uw_rule *r)
{
	if (r->kind != DTX_UW_CFA || r->reg != ARCH_DWARF_SP || r->off <= 8)
		return;
	r->saved |= 1u << DTX_UW_FP;
	r->at[DTX_UW_FP] = -16;
}

const s16 arch_go_pushed = 0;

/* In all of them the frame pointer leads back. */
#define BY_FP  {                                                                            \
	.kind = DTX_UW_CFA, .reg = ARCH_DWARF_FP, .off = 16, .flags = DTX_UW_ELSEWHERE,     \
	.saved = 1u << DTX_UW_RA | 1u << DTX_UW_FP,                                         \
	.at = { [DTX_UW_RA] = -8, [DTX_UW_FP] = -16 },                                      \
}
const struct dtx_uw_rule arch_go_switch = BY_FP, arch_go_grow = BY_FP;

bool arch_go_switched(const struct dtx_uw_rule *framed, struct dtx_uw_rule *r)
{
	return false;
}
