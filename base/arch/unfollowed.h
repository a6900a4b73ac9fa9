/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unfollowed.h - what a new architecture answers first: that it does not follow what instructions
 * do to the stack and to arguments, and reads nothing of 32-bit programs.  Stacks then need call
 * frame information or frame pointers, and a parameter that a function keeps in its frame is not
 * available at its entry.  A file of the folder includes it, once.
 */
#include <dtx/tables/loc.h>

#include "base/arch/keptnops.h"

u32 arch_insn_prefix(const u8 *code, u32 len) { return 0; }
bool arch_insn_marks_entry(const u8 *code) { return false; }
bool arch_insn_emulated(const u8 *code) { return false; }
bool arch_past_keeps(u32 off) { return false; }
u32 arch_context_ends(const u8 *code, size_t size) { return 0; }

u32 arch_past_entry(const u8 *code, size_t size, u64 *starts)
{
	*starts = 0;
	return 0;
}

enum arch_reach arch_reach(const u8 *code, u64 addr, u64 *to)
{
	return ARCH_REACH_NONE;
}

struct arch_stackop arch_stack_op(const u8 *code, u32 len)
{
	return (struct arch_stackop){ ARCH_SP_LOST };
}

void arch_insn_stack(const u8 *code, u32 len, struct arch_stack *s)
{
	s->sp = s->bp = ARCH_DEEP_UNKNOWN;
}

void arch_prologue(const u8 *code, size_t size, bool bits32, struct arch_prologue *p)
{
	*p = (struct arch_prologue){ 0 };
	for (u32 i = 0; i < ARCH_DWARF_REGS; i++)
		p->regs[i] = (struct arch_home){ 8 * i, { .at = 8 * (s32)i }, true };
}

void arch_place32(struct dtx_arg *a, struct arch_call *t)
{
	a->user = true;
	a->loc = LOC_NONE;
}

void arch_result32(struct dtx_arg *a, struct arch_call *t)
{
	t->low = t->high = ARCH_NO_REG;
	a->loc = LOC_NONE;
}
