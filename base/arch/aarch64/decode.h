/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.h - arm64: parts of an instruction, which is a word of 32 bits (Arm Architecture Reference
 * Manual, C4).
 */
#ifndef DTX_ARCH_DECODE_H
#define DTX_ARCH_DECODE_H

#include <dtx/arch.h>

enum { FP = 29, LR = 30, SP = 31 };      /* registers; as an operand 31 is SP or zero */

static inline u32 insn_word(const u8 *code)
{
	u32 w;

	memcpy(&w, code, sizeof(w));
	return w;
}

/* `n` bits from bit `at` on, without and with a sign. */
static inline u32 insn_bits(u32 w, u32 at, u32 n)
{
	return w >> at & ((1u << n) - 1);
}

static inline s64 insn_signed(u32 w, u32 at, u32 n)
{
	return (s64)((u64)w << (64 - at - n)) >> (64 - n);
}

static inline u32 insn_rd(u32 w) { return insn_bits(w, 0, 5); }
static inline u32 insn_rn(u32 w) { return insn_bits(w, 5, 5); }
static inline u32 insn_rm(u32 w) { return insn_bits(w, 16, 5); }

/* A load or a store of one register or two at a register and an offset. */
struct insn_memory {
	bool load, pair, vector;
	u8 reg, next, base;
	u8 bytes;                        /* of each */
	s32 n;                           /* offset */
	s32 before, after;               /* added to the base; before: n is 0 */
};
/* false: it is none of these. */
bool insn_memory(u32 w, struct insn_memory *);

/* add, sub of a constant: rd = rn + *n; false: it is none. */
bool insn_add(u32 w, s64 *n);

#endif
