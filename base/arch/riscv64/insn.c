/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.c - riscv64: what an instruction is, and where execution goes after it (The RISC-V
 * Instruction Set Manual, I: RV64GC).  Its length is in the lowest bits.
 */
#include "base/arch/byread.h"
#include "base/arch/golink.h"
#include "base/arch/unfollowed.h"

enum { RA = 1, T0 = 5, FP = 8 };
enum { FENCE = 0x0f, AUIPC = 0x17, AMO = 0x2f, BRANCH = 0x63,
       JALR = 0x67, JAL = 0x6f, SYSTEM = 0x73 };         /* the lowest seven bits */
#define SHORT(quadrant, funct3)  ((funct3) << 2 | (quadrant))
#define NOP         0x00000013u
#define SHORT_NOP   0x0001u
#define SHORT_BREAK 0x9002u

/* `n` bits from bit `at` on, to bit `to` of an immediate number. */
static u32 bits(u32 w, u32 at, u32 n, u32 to) { return (w >> at & ((1u << n) - 1)) << to; }
static s64 sign(u64 n, u32 width) { return (s64)(n << (64 - width)) >> (64 - width); }
static s64 imm_i(u32 w) { return sign(w >> 20, 12); }
static s64 imm_u(u32 w) { return (s64)(s32)(w & 0xfffff000); }
static u32 rd(u32 w) { return bits(w, 7, 5, 0); }
static u32 rs1(u32 w) { return bits(w, 15, 5, 0); }

static u32 word(const u8 *code, size_t size)
{
	u32 w = 0;

	memcpy(&w, code, size >= 4 && (*code & 3) == 3 ? 4 : 2);
	return w;
}

static void by_register(u32 to, u32 link, struct arch_insn *in)
{
	in->flow = link ? ARCH_CALL : to == RA || to == T0 ? ARCH_RETURN : ARCH_INDIRECT;
	in->reg = (u8)to;
	in->index = ARCH_NO_WORD;
	in->scale = 1;
}

static void read_short(u32 w, u64 addr, struct arch_insn *in)
{
	switch (SHORT(w & 3, w >> 13)) {
	case SHORT(1, 5):                        /* c.j */
		in->flow = ARCH_JUMP;
		in->to = addr + (u64)sign(bits(w, 3, 3, 1) | bits(w, 11, 1, 4) | bits(w, 2, 1, 5) |
					  bits(w, 7, 1, 6) | bits(w, 6, 1, 7) | bits(w, 9, 2, 8) |
					  bits(w, 8, 1, 10) | bits(w, 12, 1, 11), 12);
		break;
	case SHORT(1, 6): case SHORT(1, 7):      /* c.beqz, c.bnez */
		in->flow = ARCH_BRANCH;
		in->is_unclear = true;
		in->to = addr + (u64)sign(bits(w, 3, 2, 1) | bits(w, 10, 2, 3) | bits(w, 2, 1, 5) |
					  bits(w, 5, 2, 6) | bits(w, 12, 1, 8), 9);
		break;
	case SHORT(2, 4):
		if (w == SHORT_BREAK)
			in->flow = ARCH_STOP;
		else if (!bits(w, 2, 5, 0))      /* c.jr, c.jalr */
			by_register(rd(w), bits(w, 12, 1, 0), in);
		break;
	default:
		in->flow = w ? ARCH_NEXT : ARCH_ODD;
	}
	in->is_padding = w == SHORT_NOP || !w;
}

static void read_word(u32 w, u64 addr, struct arch_insn *in)
{
	switch (w & 0x7f) {
	case JAL:
		in->flow = rd(w) ? ARCH_CALL : ARCH_JUMP;
		in->to = addr + (u64)sign(bits(w, 21, 10, 1) | bits(w, 20, 1, 11) |
					  bits(w, 12, 8, 12) | bits(w, 31, 1, 20), 21);
		break;
	case JALR:
		by_register(rs1(w), rd(w), in);
		in->disp = imm_i(w);
		break;
	case BRANCH:
		in->flow = ARCH_BRANCH;
		in->is_unclear = true;
		in->to = addr + (u64)sign(bits(w, 8, 4, 1) | bits(w, 25, 6, 5) |
					  bits(w, 7, 1, 11) | bits(w, 31, 1, 12), 13);
		break;
	case SYSTEM:
		in->flow = w == 0x00100073 ? ARCH_STOP : ARCH_NEXT;      /* ebreak */
		break;
	case AMO:                                /* lr, sc */
		in->exclusive = w >> 27 == 2 ? ARCH_EXCLUSIVE_LOAD : w >> 27 == 3 ?
				ARCH_EXCLUSIVE_STORE : ARCH_SHARED;
		break;
	case AUIPC:
		in->data = addr + (u64)imm_u(w); /* the page: what follows adds the rest */
		in->is_address = in->is_unclear = true;
		break;
	}
	in->is_padding = w == NOP;
}

/* The kernel refuses what it can neither step over nor simulate
 * (arch/riscv/kernel/probes/decode-insn.c); pairs of lr and sc fail with a probe between them. */
u32 arch_insn_read(const u8 *code, size_t size, u64 addr, struct arch_insn *in)
{
	u32 w;

	*in = (struct arch_insn){ 0 };
	if (size < 2 || ((*code & 3) == 3 && size < 4) || (*code & 0x1f) == 0x1f)
		return 0;
	w = word(code, size);
	in->len = (w & 3) == 3 ? 4 : 2;
	if (in->len == 2)
		read_short(w, addr, in);
	else
		read_word(w, addr, in);
	in->probed = in->flow != ARCH_STOP && in->flow != ARCH_ODD &&
		     !(in->len == 4 && ((w & 0x7f) == SYSTEM || (w & 0x7f) == FENCE ||
					(w & 0x7f) == AMO));
	return in->len;
}

bool arch_insn_replaced(const u8 *code, u64 addr, u64 *to)
{
	*to = 0;
	return word(code, 4) == SHORT_BREAK || word(code, 4) == 0x00100073;
}

/* Where the instruction before `end` begins is not known: a short one, or a long one. */
bool arch_code_ended(const u8 *end, u32 n)
{
	return (n >= 2 && (end[-2] & 3) != 3 &&
		(arch_insn_ends(end - 2) || arch_insn_pads(end - 2, 2))) ||
	       (n >= 4 && (end[-4] & 3) == 3 &&
		(arch_insn_ends(end - 4) || arch_insn_pads(end - 4, 4)));
}

/* li a7, 139; ecall */
u32 arch_sigreturn(const u8 *code, size_t size)
{
	return size >= 8 && word(code, 4) == 0x08b00893 && word(code + 4, 4) == SYSTEM ? 8 : 0;
}

/* auipc t3, page; ld t3, n(t3) */
bool arch_plt_slot(const u8 *code, size_t len, u64 addr, u64 *slot)
{
	u32 page = len >= 8 ? word(code, 4) : 0, load = len >= 8 ? word(code + 4, 4) : 0;

	*slot = addr + (u64)imm_u(page) + (u64)imm_i(load);
	return (page & 0xfff) == 0xe17 && (load & 0xfffff) == 0xe3e03;
}

u32 arch_kept_reg(u8 reg)
{
	return reg == RA ? DTX_UW_RA : reg == FP ? DTX_UW_FP : reg == 9 ? DTX_UW_KEPT :
	       reg >= 18 && reg <= 27 ? DTX_UW_KEPT + 1 + reg - 18u : ARCH_UW_REGS;
}

/* Go's functions keep no frame pointer. */
void arch_go_keeps_fp(struct dtx_uw_rule *r) {}
const struct dtx_uw_rule arch_go_switch = { .kind = DTX_UW_NONE }, arch_go_grow = { 0 };
bool arch_go_switched(const struct dtx_uw_rule *framed, struct dtx_uw_rule *r) { return false; }
