/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * golink.h - frames of Go's functions where a call leaves the return address in a register: it is
 * kept at the stack pointer ("Go internal ABI specification": Stack layout).  A file of the folder
 * includes it, once.
 */
#include <dtx/arch.h>
#include <dtx/unwind.h>

#ifndef GO_PUSHED
#define GO_PUSHED 8
#endif
const s16 arch_go_pushed = GO_PUSHED;

void arch_go_rule(s64 size, struct dtx_uw_rule *r)
{
	*r = (struct dtx_uw_rule){
		.kind = DTX_UW_CFA, .reg = ARCH_DWARF_SP, .off = (s32)size, .base = ARCH_DWARF_SP,
	};
	if (size > 0) {
		r->based = 1u << DTX_UW_RA;
	} else {                                 /* not stored yet */
		r->inreg = 1u << DTX_UW_RA;
		r->at[DTX_UW_RA] = ARCH_DWARF_RA;
	}
}
