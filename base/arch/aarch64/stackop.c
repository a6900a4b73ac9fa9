/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackop.c - arm64: what an instruction does to the stack pointer and to the registers that
 * functions keep.
 */
#include "decode.h"
#include <dtx/unwind.h>

/* Two registers: opc 101 V mode L imm7 Rt2 Rn Rt; mode: 1 after, 2 offset, 3 before. */
static bool pair(u32 w, struct insn_memory *m)
{
	u32 opc = w >> 30, mode = insn_bits(w, 23, 3);
	s32 n;

	*m = (struct insn_memory){
		.load = insn_bits(w, 22, 1), .pair = true, .vector = insn_bits(w, 26, 1),
		.reg = insn_rd(w), .next = insn_bits(w, 10, 5), .base = insn_rn(w),
	};
	if (insn_bits(w, 27, 3) != 5 || mode > 3 || opc == 3)
		return false;
	m->bytes = m->vector ? 4u << opc : opc == 2 ? 8 : 4;
	n = (s32)insn_signed(w, 15, 7) * m->bytes;
	m->before = mode == 3 ? n : 0;
	m->after = mode == 1 ? n : 0;
	m->n = mode == 2 || !mode ? n : 0;
	return true;
}

/* One register: size 111 V 0s opc …; a scaled offset, or imm9 after, before, or neither. */
static bool single(u32 w, struct insn_memory *m)
{
	u32 size = w >> 30, opc = insn_bits(w, 22, 2), mode = insn_bits(w, 10, 2);
	s32 n = (s32)insn_signed(w, 12, 9);
	bool scaled = insn_bits(w, 24, 2) == 1;

	*m = (struct insn_memory){
		.load = opc & 1 || (opc && !insn_bits(w, 26, 1)), .vector = insn_bits(w, 26, 1),
		.reg = insn_rd(w), .base = insn_rn(w),
	};
	if (insn_bits(w, 27, 3) != 7 || insn_bits(w, 24, 2) > 1 || (!scaled && w & 1u << 21))
		return false;
	if (size == 3 && opc == 2 && !m->vector)         /* prfm */
		return false;
	m->bytes = m->vector && opc & 2 ? 16 : 1u << size;
	m->before = !scaled && mode == 3 ? n : 0;
	m->after = !scaled && mode == 1 ? n : 0;
	m->n = scaled ? (s32)insn_bits(w, 10, 12) * m->bytes : mode & 1 ? 0 : n;
	return true;
}

bool insn_memory(u32 w, struct insn_memory *m)
{
	return pair(w, m) || single(w, m);
}

bool insn_add(u32 w, s64 *n)
{
	*n = (s64)insn_bits(w, 10, 12) << (w & 1u << 22 ? 12 : 0);
	*n = w & 1u << 30 ? -*n : *n;
	return (w & 0x9f800000) == 0x91000000;   /* of 64 bits; S sets flags */
}

static struct arch_stackop memory(const struct insn_memory *m)
{
	bool general = !m->vector && m->bytes == 8;

	if (m->base != SP) {
		if (m->load && !m->vector && m->reg != SP)
			return (struct arch_stackop){ ARCH_SP_WRITE, m->reg };
		return (struct arch_stackop){ ARCH_SP_NONE };
	}
	if (!general)
		return m->before | m->after ?
		       (struct arch_stackop){ ARCH_SP_ADD, SP, m->before + m->after } :
		       (struct arch_stackop){ m->load && !m->vector ? ARCH_SP_WRITE : ARCH_SP_NONE,
					      m->reg };
	return (struct arch_stackop){
		.kind = m->load ? ARCH_SP_LOAD : ARCH_SP_STORE, .reg = m->reg, .n = m->n,
		.next = m->next, .pair = m->pair, .before = m->before, .after = m->after,
	};
}

/* The register that a computation writes; SP: none, or the stack pointer. */
static bool computes(u32 w)
{
	u32 group = insn_bits(w, 25, 4);

	if (group == 8 || group == 9)            /* with a constant */
		return true;
	return (group & 7) == 5 && (w & 0x1fe00000) != 0x1a400000;       /* not ccmp */
}

/* Does a computation with rd = 31 write the stack pointer? */
static bool writes_sp(u32 w)
{
	bool flags = w & 1u << 29;

	return ((w & 0x1f800000) == 0x11000000 && !flags) ||             /* add, sub */
	       ((w & 0x1f800000) == 0x12000000 && insn_bits(w, 29, 2) != 3) ||  /* and, or */
	       ((w & 0x1fe00000) == 0x0b200000 && !flags);
}

static struct arch_stackop computed(u32 w)
{
	u32 rd = insn_rd(w), rn = insn_rn(w);
	s64 n;

	if (insn_add(w, &n) && !(w & 1u << 29)) {
		if (rd == SP && rn == SP)
			return (struct arch_stackop){ ARCH_SP_ADD, SP, n };
		if (rd == SP && rn == FP)
			return (struct arch_stackop){ ARCH_SP_FROM_FP, SP, n };
		if (rd == FP && rn == SP)
			return (struct arch_stackop){ ARCH_SP_TO_FP, FP, n };
	}
	if (w == 0xd280001d || w == 0xaa1f03fd)  /* mov x29, #0 or xzr */
		return (struct arch_stackop){ ARCH_SP_ZERO_FP, FP };
	if (rd != SP)
		return (struct arch_stackop){ ARCH_SP_WRITE, rd };
	return (struct arch_stackop){ writes_sp(w) ? ARCH_SP_LOST : ARCH_SP_NONE };
}

struct arch_stackop arch_stack_op(const u8 *code, u32 len)
{
	u32 w = len >= 4 ? insn_word(code) : 0;
	struct insn_memory m;
	u64 to;

	if (!w)
		return (struct arch_stackop){ ARCH_SP_NONE };
	if (w == 0xd4000001)
		return (struct arch_stackop){ ARCH_SP_SYSCALL };
	if (arch_insn_calls(code, len, 0, &to))
		return (struct arch_stackop){ ARCH_SP_WRITE, LR };
	if (insn_memory(w, &m))
		return memory(&m);
	return computes(w) ? computed(w) : (struct arch_stackop){ ARCH_SP_NONE };
}

u32 arch_kept_reg(u8 reg)
{
	return reg == LR ? DTX_UW_RA : reg == FP ? DTX_UW_FP :
	       reg >= 19 && reg < FP ? DTX_UW_KEPT + reg - 19u : ARCH_UW_REGS;
}

static void moved(s32 *to, s32 from, s64 by)
{
	*to = from == ARCH_DEEP_UNKNOWN || by < -(1 << 30) || by > 1 << 30 ? ARCH_DEEP_UNKNOWN :
	      from + (s32)by;
}

void arch_insn_stack(const u8 *code, u32 len, struct arch_stack *s)
{
	struct arch_stackop op = arch_stack_op(code, len);

	switch (op.kind) {
	case ARCH_SP_ADD:
		moved(&s->sp, s->sp, -op.n);
		break;
	case ARCH_SP_FROM_FP:
		moved(&s->sp, s->bp, -op.n);
		break;
	case ARCH_SP_TO_FP:
		moved(&s->bp, s->sp, -op.n);
		break;
	case ARCH_SP_LOST:
		s->sp = ARCH_DEEP_UNKNOWN;
		break;
	case ARCH_SP_STORE: case ARCH_SP_LOAD:
		moved(&s->sp, s->sp, -(s64)op.before - op.after);
		if (op.kind == ARCH_SP_LOAD && (op.reg == FP || (op.pair && op.next == FP)))
			s->bp = ARCH_DEEP_UNKNOWN;
		break;
	case ARCH_SP_WRITE: case ARCH_SP_ZERO_FP:
		if (op.reg == FP)
			s->bp = ARCH_DEEP_UNKNOWN;
		break;
	default:
		break;
	}
}
