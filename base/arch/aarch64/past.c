/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * past.c - arm64: what the kernel does itself at a probe, and how far a probe at the entry of a
 * function can be moved to meet such an instruction.
 * Why: docs/decisions/50-past-the-entry.md
 */
#include "decode.h"
#include "base/arch/keptnops.h"

#define PAST_BYTES 16            /* in front of it */

/*
 * Instructions that the kernel does itself (it says: simulates), all since 4.10:
 * arch/arm64/kernel/probes/decode-insn.c, arm_probe_decode_insn().  Not here: those that later
 * kernels do, too (nop; stp of the frame pointer and the link register to the stack), and loads of
 * what lies beside the code, which kernels since 6.12 refuse in programs.
 */
static const struct { u32 word, mask; } emulated[] = {
	{ 0x54000000, 0xff000010 },              /* b.cond */
	{ 0x34000000, 0x7e000000 },              /* cbz, cbnz */
	{ 0x36000000, 0x7e000000 },              /* tbz, tbnz */
	{ 0x10000000, 0x1f000000 },              /* adr, adrp */
	{ 0x14000000, 0x7c000000 },              /* b, bl */
	{ 0xd61f0000, 0xff9ffc1f },              /* br, blr, ret */
};

bool arch_insn_emulated(const u8 *code)
{
	u32 w = insn_word(code);

	for (u32 i = 0; i < ARRAY_SIZE(emulated); i++)
		if ((w & emulated[i].mask) == emulated[i].word)
			return true;
	return false;
}

/* bti, which marks where functions begin.  Not nops: programs may write jumps over those of
 * -fpatchable-function-entry while they run. */
u32 arch_past_entry(const u8 *code, size_t size, u64 *starts)
{
	u32 at = 0;

	*starts = 0;
	for (; at < PAST_BYTES && size - at >= 4; at += 4) {
		u32 w = insn_word(code + at);

		if (arch_insn_emulated(code + at))
			return at;
		if ((w & 0xffffff3f) != 0xd503241f)
			return 0;
		*starts |= 1ull << (at + 4);
	}
	return 0;
}

enum arch_reach arch_reach(const u8 *code, u64 addr, u64 *to)
{
	struct arch_insn in;

	if (addr % 4)
		return ARCH_REACH_NONE;
	arch_insn_read(code, 4, addr, &in);
	*to = in.to;
	return in.flow == ARCH_JUMP || in.flow == ARCH_BRANCH || (in.flow == ARCH_CALL && in.to) ?
	       ARCH_REACH_FAR : ARCH_REACH_NONE;
}

bool arch_may_reach(const u8 *code, u64 size, u64 addr, u64 to, u64 bytes)
{
	u64 there;

	for (u64 at = 0; at + 4 <= size; at += 4)
		if (arch_reach(code + at, addr + at, &there) && there - to < bytes)
			return true;
	return false;
}

bool arch_past_keeps(u32 off)
{
	return off != ARCH_REG_IP;
}
