/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * byread.h - what is asked of an instruction, by what arch_insn_read() says of it.  For an
 * architecture whose instructions are read in a moment: a file of its folder includes it, once.
 */
#include <dtx/arch.h>

static struct arch_insn insn_at(const u8 *code, u32 len)
{
	struct arch_insn in;

	if (!arch_insn_read(code, len, 0, &in))
		in.flow = ARCH_ODD;
	return in;
}

u32 arch_insn_len(const u8 *code, size_t size)
{
	struct arch_insn in;

	return arch_insn_read(code, size, 0, &in);
}

/* Each is read. */
bool arch_may_reach(const u8 *code, u64 size, u64 addr, u64 to, u64 bytes) { return true; }
bool arch_insn_probed(const u8 *code, u32 len) { return insn_at(code, len).probed; }
bool arch_insn_returns(const u8 *code, u32 len) { return insn_at(code, len).flow == ARCH_RETURN; }
bool arch_insn_pads(const u8 *code, u32 len) { return insn_at(code, len).is_padding; }

bool arch_insn_stops(const u8 *code, u32 len)
{
	enum arch_flow flow = insn_at(code, len).flow;

	return flow == ARCH_STOP || flow == ARCH_ODD || flow == ARCH_INDIRECT;
}

bool arch_insn_halts(const u8 *code)
{
	enum arch_flow flow = insn_at(code, ARCH_INSN_MAX).flow;

	return flow == ARCH_STOP || flow == ARCH_ODD;
}

enum arch_thunk arch_thunk(const u8 *code, size_t size, u32 *len, u8 *reg)
{
	return ARCH_THUNK_NONE;
}

bool arch_insn_ends(const u8 *code)
{
	enum arch_flow flow = insn_at(code, ARCH_INSN_MAX).flow;

	return flow == ARCH_JUMP || flow == ARCH_RETURN || arch_insn_halts(code);
}

bool arch_insn_jumps(const u8 *code, u32 len, u64 addr, u64 *to)
{
	struct arch_insn in = insn_at(code, len);

	*to = in.to + addr;
	return in.flow == ARCH_JUMP || in.flow == ARCH_BRANCH;
}

bool arch_insn_calls(const u8 *code, u32 len, u64 addr, u64 *to)
{
	struct arch_insn in = insn_at(code, len);

	*to = in.to ? in.to + addr : 0;
	return in.flow == ARCH_CALL;
}
