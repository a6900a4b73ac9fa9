/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flow.c - x86-64: where execution goes after an instruction, and what it does to the stack.
 *
 * Intel, Software Developer's Manual, volume 2.
 */
#include <stddef.h>

#include <asm/ptrace.h>

#include "decode.h"

#define WORD(r) (offsetof(struct pt_regs, r) / 8)

/* Words of struct pt_regs, in the order of the numbers in instructions. */
static const u8 words[16] = {
	WORD(rax), WORD(rcx), WORD(rdx), WORD(rbx), WORD(rsp), WORD(rbp), WORD(rsi), WORD(rdi),
	WORD(r8), WORD(r9), WORD(r10), WORD(r11), WORD(r12), WORD(r13), WORD(r14), WORD(r15),
};

enum { BX_SP = 4, BX_BP = 5 };   /* numbers of the stack and the frame pointer */

static u32 mod_of(const struct insn *in)
{
	return in->modrm >> 6;
}

static u32 reg_of(const struct insn *in)
{
	return in->modrm >> 3 & 7;
}

static u32 rm_of(const struct insn *in)
{
	return in->modrm & 7;
}

static s64 displacement(const struct insn *in)
{
	s32 d = 0;

	if (in->disp_bytes == 1)
		return (s8)*in->disp;
	if (in->disp_bytes == 4)
		memcpy(&d, in->disp, sizeof(d));
	return d;
}

/* The last bytes of the instruction as a number. */
static s64 immediate(const struct insn *in, u32 size)
{
	s32 v = 0;

	if (size == 1)
		return (s8)in->at[-1];
	memcpy(&v, in->at - sizeof(v), sizeof(v));
	return v;
}

/* Is its operand in memory, at an address of the instruction's own? */
static bool is_from_ip(const struct insn *in)
{
	return in->has_modrm && mod_of(in) == 0 && rm_of(in) == 5;
}

static void target(const struct insn *in, struct arch_insn *to)
{
	u32 rm = rm_of(in), base = in->rex & 1 ? 8 : 0, index;

	to->reg = to->index = ARCH_NO_WORD;
	to->scale = 1;
	to->in_memory = mod_of(in) != 3;
	if (!to->in_memory) {
		to->reg = words[rm + base];
		return;
	}
	to->disp = displacement(in);
	if (is_from_ip(in)) {
		to->disp = (s64)to->data;
		return;
	}
	if (rm != 4) {
		to->reg = words[rm + base];
		return;
	}
	index = (in->sib >> 3 & 7) + (in->rex & 2 ? 8 : 0);
	if (index != BX_SP) {
		to->index = words[index];
		to->scale = 1u << (in->sib >> 6);
	}
	if (mod_of(in) || (in->sib & 7) != 5)
		to->reg = words[(in->sib & 7) + base];
}

/* ff: inc, dec, call, far call, jmp, far jmp, push. */
static void group_5(const struct insn *in, struct arch_insn *to)
{
	switch (reg_of(in)) {
	case 2:
		to->flow = ARCH_CALL;
		break;
	case 4:
		to->flow = ARCH_INDIRECT;
		to->is_table = in->notrack;
		to->is_unclear = in->addr32 || in->based;
		target(in, to);
		break;
	case 3: case 5: case 7:
		to->flow = ARCH_ODD;
		break;
	}
}

/* Instructions that programs do not use: the bytes are something else. */
static bool is_odd(const struct insn *in)
{
	static const u8 odd[] = {
		0x6c, 0x6d, 0x6e, 0x6f, 0x9a, 0xca, 0xcb, 0xcf, 0xe4, 0xe5, 0xe6, 0xe7, 0xec, 0xed,
		0xee, 0xef, 0xfa, 0xfb,
	};

	if (in->map != MAP_ONE)
		return false;
	if (in->op == 0xfe && reg_of(in) > 1)
		return true;
	return memchr(odd, in->op, sizeof(odd)) || (!in->op && !in->modrm);     /* zeros */
}

static void one_byte_flow(const struct insn *in, u64 next, struct arch_insn *to)
{
	u8 op = in->op;

	if (op == 0xc3 || op == 0xc2) {
		to->flow = ARCH_RETURN;
	} else if (op == 0xeb || op == 0xe9) {
		to->flow = ARCH_JUMP;
		to->to = next + (u64)immediate(in, op == 0xeb ? 1 : 4);
	} else if (op == 0xe8) {
		to->flow = ARCH_CALL;
		to->to = next + (u64)immediate(in, 4);
	} else if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) {
		to->flow = ARCH_BRANCH;
		to->cond = (op & 0xf0) == 0x70 ? op & 15 : ARCH_COND_LOOP + (op & 3);
		to->is_unclear = op >= 0xe0 && in->addr32;
		to->to = next + (u64)immediate(in, 1);
	} else if (op == 0xff) {
		group_5(in, to);
	} else if (op == 0xcc || op == 0xf4) {
		to->flow = ARCH_STOP;
	}
}

u32 arch_insn_read(const u8 *code, size_t size, u64 addr, struct arch_insn *to)
{
	struct insn in;
	u32 len = insn_decode(&in, code, size);

	*to = (struct arch_insn){ .len = len };
	if (!len)
		return 0;
	to->probed = arch_insn_probed(code, len);
	to->inner = *code == 0xf0;
	if (is_from_ip(&in)) {
		to->data = addr + len + (u64)displacement(&in);
		to->is_address = in.map == MAP_ONE && in.op == 0x8d;
	}
	if (in.map == MAP_ONE && !in.size16 && !in.wide &&
	    ((in.op & 0xf8) == 0xb8 || (in.op == 0xc7 && mod_of(&in) == 3)))
		to->number = (u32)immediate(&in, 4);
	if (is_odd(&in)) {
		to->flow = ARCH_ODD;
	} else if (in.map == MAP_ONE) {
		one_byte_flow(&in, addr + len, to);
	} else if (in.map == MAP_TWO && (in.op & 0xf0) == 0x80) {
		to->flow = ARCH_BRANCH;
		to->cond = in.op & 15;
		to->to = addr + len + (u64)immediate(&in, 4);
	} else if (in.map == MAP_TWO && (in.op == 0x0b || in.op == 0xb9 || in.op == 0xff)) {
		to->flow = ARCH_STOP;            /* ud2, ud1, ud0 */
	}
	/* nop, endbr64, and what compilers put between functions */
	to->is_padding = (in.map == MAP_ONE && (in.op == 0x90 || in.op == 0xcc)) ||
			 (in.map == MAP_TWO && in.op == 0x1f);
	return len;
}

/*
 *	pop %REG; lfence; jmp *%REG
 */
static enum arch_thunk popped_return(const u8 *code, size_t size, u32 *len)
{
	static const u8 fence[] = { 0x0f, 0xae, 0xe8 };
	u32 rex = *code == 0x41;                /* r8 to r15 */

	*len = 6 + 2 * rex;
	if (size < *len || (code[rex] & 0xf8) != 0x58 ||
	    memcmp(code + rex + 1, fence, sizeof(fence)) || (rex && code[5] != 0x41) ||
	    code[*len - 2] != 0xff || code[*len - 1] != (0xe0 | (code[rex] & 7)))
		return ARCH_THUNK_NONE;
	return ARCH_THUNK_RETURN;
}

/*
 *	call 2f
 *   1:	pause; lfence; jmp 1b
 *   2:	lea 8(%rsp),%rsp, or mov %REG,(%rsp)
 *	ret
 */
static enum arch_thunk kept_from_guessing(const u8 *code, size_t size, u32 *len, u8 *reg)
{
	static const u8 back[] = { 0x48, 0x8d, 0x64, 0x24, 0x08, 0xc3 };
	s32 by;

	size = MIN(size, ARCH_THUNK_BYTES);
	if (size < 5)
		return ARCH_THUNK_NONE;
	memcpy(&by, code + 1, sizeof(by));
	if (by < 2 || (u32)by + 5 > size)
		return ARCH_THUNK_NONE;
	*len = 5 + (u32)by + 5;                 /* mov, ret */
	code += 5 + by;
	if (*len < size && !memcmp(code, back, sizeof(back))) {
		*len += 1;
		return ARCH_THUNK_RETURN;
	}
	if (*len > size || (*code & 0xfb) != 0x48 || code[1] != 0x89 ||
	    (code[2] & 0xc7) != 4 || code[3] != 0x24 || code[4] != 0xc3)
		return ARCH_THUNK_NONE;
	*reg = words[(code[2] >> 3 & 7) + (*code & 4 ? 8 : 0)];
	return ARCH_THUNK_JUMP;
}

enum arch_thunk arch_thunk(const u8 *code, size_t size, u32 *len, u8 *reg)
{
	if (size && *code == 0xe8)
		return kept_from_guessing(code, size, len, reg);
	return size ? popped_return(code, size, len) : ARCH_THUNK_NONE;
}

/* ---- the stack ------------------------------------------------------------------------ */

static void moved(s32 *to, s32 from, s64 by)
{
	*to = from == ARCH_DEEP_UNKNOWN || by < -(1 << 30) || by > 1 << 30 ? ARCH_DEEP_UNKNOWN :
	      from + (s32)by;
}

/* Register `n` gets a value that is not followed. */
static void lost(struct arch_stack *s, u32 n)
{
	if (n == BX_SP)
		s->sp = ARCH_DEEP_UNKNOWN;
	if (n == BX_BP)
		s->bp = ARCH_DEEP_UNKNOWN;
}

/* 81, 83: add, or, adc, sbb, and, sub, xor, cmp with a number. */
static void arithmetic(const struct insn *in, struct arch_stack *s)
{
	s64 n = immediate(in, in->op == 0x83 ? 1 : 4);

	if (mod_of(in) != 3 || rm_of(in) != BX_SP || in->rex & 1 || reg_of(in) == 7)
		return;
	if (in->wide && (reg_of(in) == 0 || reg_of(in) == 5))
		moved(&s->sp, s->sp, reg_of(in) ? n : -n);
	else
		s->sp = ARCH_DEEP_UNKNOWN;
}

/* 89, 8b: mov between registers. */
static void copied(const struct insn *in, struct arch_stack *s)
{
	u32 reg = reg_of(in) + (in->rex & 4 ? 8 : 0), rm = rm_of(in) + (in->rex & 1 ? 8 : 0);
	u32 from = in->op == 0x89 ? reg : rm, to = in->op == 0x89 ? rm : reg;

	if (mod_of(in) != 3 && in->op == 0x89)
		return;
	if (mod_of(in) == 3 && to == BX_BP && from == BX_SP)
		s->bp = s->sp;
	else if (mod_of(in) == 3 && to == BX_SP && from == BX_BP)
		s->sp = s->bp;
	else
		lost(s, to);
}

/* 00 … 3b: add, or, adc, sbb, and, sub, xor, cmp of registers and memory. */
static void combined(const struct insn *in, struct arch_stack *s)
{
	u32 reg = reg_of(in) + (in->rex & 4 ? 8 : 0), rm = rm_of(in) + (in->rex & 1 ? 8 : 0);

	if (in->op < 0x38 && (in->op & 2))
		lost(s, reg);
	else if (in->op < 0x38 && mod_of(in) == 3)
		lost(s, rm);
}

/* 8d: lea n(%rsp),%rsp and lea n(%rbp),%rsp. */
static void computed(const struct insn *in, struct arch_stack *s)
{
	bool by_sp = rm_of(in) == 4 && in->sib == 0x24 && !(in->rex & 3);
	bool by_bp = rm_of(in) == 5 && mod_of(in) && !(in->rex & 1);

	if (reg_of(in) == BX_SP && !(in->rex & 4) && (by_sp || by_bp))
		moved(&s->sp, by_sp ? s->sp : s->bp, -displacement(in));
	else
		lost(s, reg_of(in) + (in->rex & 4 ? 8 : 0));
}

static void popped(struct arch_stack *s, u32 reg)
{
	moved(&s->sp, s->sp, -8);
	lost(s, reg);
}

void arch_insn_stack(const u8 *code, u32 len, struct arch_stack *s)
{
	struct insn in;
	u8 op;

	if (insn_decode(&in, code, len) != len || in.map != MAP_ONE)
		return;
	op = in.op;
	if ((op & 0xf8) == 0x50 || op == 0x68 || op == 0x6a || op == 0x9c ||
	    (op == 0xff && reg_of(&in) == 6))
		moved(&s->sp, in.size16 ? ARCH_DEEP_UNKNOWN : s->sp, 8);
	else if ((op & 0xf8) == 0x58)
		popped(s, (op & 7) + (in.rex & 1 ? 8 : 0));
	else if (op == 0x8f || op == 0x9d)
		popped(s, ~0u);
	else if (op == 0x81 || op == 0x83)
		arithmetic(&in, s);
	else if (op < 0x40 && (op & 7) < 4)
		combined(&in, s);
	else if (op == 0x89 || op == 0x8b)
		copied(&in, s);
	else if (op == 0x8d)
		computed(&in, s);
	else if (op == 0xc9)                     /* leave */
		moved(&s->sp, s->bp, -8), s->bp = ARCH_DEEP_UNKNOWN;
	else if (op == 0xc8 || (op == 0x87 && mod_of(&in) == 3 &&
				(reg_of(&in) == BX_SP || rm_of(&in) == BX_SP)) || op == 0x94)
		s->sp = s->bp = ARCH_DEEP_UNKNOWN;       /* enter, xchg */
}
