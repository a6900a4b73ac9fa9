/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.c - arm64: what an instruction is, and where execution goes after it.
 *
 * Arm Architecture Reference Manual, C4.1 "A64 instruction set encoding".
 */
#include "decode.h"

/* Unconditional branches to a register: what they do, by the bits 21 and 22. */
enum { BR, BLR, RET };
static bool is_register_branch(u32 w)
{
	return (w & 0xfe9f0000) == 0xd61f0000 && insn_bits(w, 21, 2) <= RET;
}

static bool is_return(u32 w)
{
	return is_register_branch(w) && insn_bits(w, 21, 2) == RET;
}

static bool is_stop(u32 w)
{
	return (w & 0xffe0001f) == 0xd4200000 || (w & 0xffe0001f) == 0xd4400000 || !(w >> 16);
}                                                /* brk, hlt, udf */

static bool is_b(u32 w) { return w >> 26 == 0x05; }
static bool is_bl(u32 w) { return w >> 26 == 0x25; }
static bool is_b_cond(u32 w) { return w >> 24 == 0x54; }
static bool is_cbz(u32 w) { return (w & 0x7e000000) == 0x34000000; }
static bool is_tbz(u32 w) { return (w & 0x7e000000) == 0x36000000; }

/* The distance of a branch that says where it goes. */
static s64 distance(u32 w)
{
	return 4 * (is_b(w) || is_bl(w) ? insn_signed(w, 0, 26) :
		    is_tbz(w) ? insn_signed(w, 5, 14) : insn_signed(w, 5, 19));
}

u32 arch_insn_len(const u8 *code, size_t size)
{
	return size >= 4 ? 4 : 0;
}

/* Loads and prefetches of what lies beside the code, also into vector registers. */
static bool is_literal(u32 w) { return (w & 0x3b000000) == 0x18000000; }

/* cpyp, cpym, cpye and their kin: three instructions that belong together. */
static bool is_memory_copy(u32 w) { return (w & 0x3b200c00) == 0x19000400; }

/*
 * The kernel cannot run exclusive loads and stores elsewhere; of hints it takes those that it knows
 * (arch/arm64/kernel/probes/decode-insn.c: aarch64_insn_is_steppable()).  It simulates branches
 * without authentication.  What it does wrong for programs: it steps over a copy of loads of a
 * vector register that lie beside the code, which read what lies beside the copy; before 6.12 it
 * simulated those of other registers by an access that ends the program.  Before 6.13 it took
 * the parts of a memory copy, too.
 */
static bool is_steppable_hint(u32 n)
{
	return !n || n == 7 || n == 8 || n == 10 || (n >= 24 && n <= 27) ||
	       (n >= 32 && n <= 38 && !(n & 1));
}

bool arch_insn_probed(const u8 *code, u32 len)
{
	u32 w = insn_word(code);

	if (len < 4 || is_stop(w) || w >> 24 == 0xd4)    /* svc and its kin */
		return false;
	if (is_register_branch(w))
		return !(w & 0x01000800);                /* not braa, retaa … */
	if ((w & 0xfe000000) == 0xd6000000)              /* eret, drps */
		return false;
	if ((w & 0xfffff01f) == 0xd503201f)
		return is_steppable_hint(insn_bits(w, 5, 7));
	if ((w & 0xfff8f01f) == 0xd500401f || (w & 0xfff00000) == 0xd5100000)
		return false;                            /* msr */
	if (is_literal(w) || is_memory_copy(w))
		return false;
	return (w & 0x3f800000) != 0x08000000;           /* ldxr, stxr, casp; not ldar, cas */
}

/* ldxr, stxr, and those of pairs.  Not casp, which has the same bits in 32-bit sizes. */
static bool is_exclusive(u32 w)
{
	return (w & 0x3f800000) == 0x08000000 && (w >> 31 || !insn_bits(w, 21, 1));
}

bool arch_insn_ends(const u8 *code)
{
	u32 w = insn_word(code);

	return is_b(w) || is_return(w) || is_stop(w);
}

bool arch_insn_returns(const u8 *code, u32 len)
{
	return len >= 4 && is_return(insn_word(code));
}

bool arch_insn_stops(const u8 *code, u32 len)
{
	u32 w = insn_word(code);

	return is_stop(w) || (is_register_branch(w) && insn_bits(w, 21, 2) == BR);
}

u32 arch_insn_prefix(const u8 *code, u32 len)
{
	return 0;
}

bool arch_insn_halts(const u8 *code)
{
	return is_stop(insn_word(code));
}

enum arch_thunk arch_thunk(const u8 *code, size_t size, u32 *len, u8 *reg)
{
	return ARCH_THUNK_NONE;                 /* compilers make none */
}

bool arch_code_ended(const u8 *end, u32 n)
{
	return n >= 4 && (arch_insn_ends(end - 4) || arch_insn_pads(end - 4, 4) ||
			  arch_insn_stops(end - 4, 4));
}

bool arch_insn_jumps(const u8 *code, u32 len, u64 addr, u64 *to)
{
	u32 w = insn_word(code);

	*to = addr + (u64)distance(w);
	return is_b(w) || is_b_cond(w) || is_cbz(w) || is_tbz(w);
}

bool arch_insn_calls(const u8 *code, u32 len, u64 addr, u64 *to)
{
	u32 w = insn_word(code);

	*to = is_bl(w) ? addr + (u64)distance(w) : 0;
	return is_bl(w) || (is_register_branch(w) && insn_bits(w, 21, 2) == BLR);
}

bool arch_insn_replaced(const u8 *code, u64 addr, u64 *to)
{
	*to = 0;
	return (insn_word(code) & 0xffe0001f) == 0xd4200000;    /* brk; none jumps */
}

bool arch_insn_pads(const u8 *code, u32 len)
{
	u32 w = insn_word(code);

	return w == 0xd503201f || !w;            /* nop, udf #0 */
}

bool arch_insn_marks_entry(const u8 *code)
{
	u32 w = insn_word(code);

	return (w & 0xffffff7f) == 0xd503245f || w == 0xd503233f || w == 0xd503237f;
}                                                /* bti c, jc; paciasp, pacibsp */

/*
 * The base of the jumps of a switch is code, not data: adr xN, LABEL; …; add xM, xN, …; br xM.  gcc
 * writes them in a row (aarch64_output_casesi() of its sources), clang with others between.
 */
static bool is_jump_base(const u8 *code, size_t size)
{
	u32 base = insn_rd(insn_word(code));

	for (size_t at = 4; at + 8 <= size && at <= 32; at += 4) {
		u32 w = insn_word(code + at), next = insn_word(code + at + 4);

		if (w >> 24 == 0x8b && insn_rn(w) == base)       /* add of registers */
			return is_register_branch(next) && insn_bits(next, 21, 2) == BR &&
			       insn_rn(next) == insn_rd(w);
		if (insn_rd(w) == base)
			return false;
	}
	return false;
}

/* adrp says the page of an address; what adds the rest stands near it: add xM, xN, #n. */
static bool add_to_page(const u8 *code, size_t size, u64 *to)
{
	u32 page = insn_rd(insn_word(code));

	for (size_t at = 4; at + 4 <= size && at <= 32; at += 4) {
		u32 w = insn_word(code + at);

		if ((w & 0xffc00000) == 0x91000000 && insn_rn(w) == page) {
			*to += insn_bits(w, 10, 12);
			return true;
		}
		if (insn_rd(w) == page || is_b(w) || is_bl(w) || is_register_branch(w))
			return false;
	}
	return false;
}

/* Is memory accessed at the address in the link register, or something added to it? */
static bool reads_by_link(u32 w)
{
	return ((w & 0x0a000000) == 0x08000000 || (w & 0x1f000000) == 0x0b000000) &&
	       (insn_rn(w) == LR || insn_rm(w) == LR);
}

/* An address in the link register, by which nothing is read: code that something returns to, as
 * swapcontext() of the C library says it. */
static bool is_return_to(const u8 *code, size_t size)
{
	bool is_link = insn_rd(insn_word(code)) == LR;

	for (size_t at = 4; is_link && at + 4 <= size; at += 4)
		is_link = !reads_by_link(insn_word(code + at));
	return is_link;
}

/* adr, adrp, and loads of a word near the code. */
static void address(const u8 *code, size_t size, u64 addr, struct arch_insn *to)
{
	u32 w = insn_word(code);
	s64 n = insn_signed(w, 5, 19) * 4;

	if ((w & 0x1f000000) == 0x10000000 && !is_jump_base(code, size)) {
		n |= insn_bits(w, 29, 2);
		to->data = w >> 31 ? (addr & ~0xfffull) + ((u64)n << 12) : addr + (u64)n;
		to->is_address = true;
		to->is_code = !(w >> 31) && is_return_to(code, size);
		to->is_unclear = w >> 31 && !add_to_page(code, size, &to->data);
	} else if (is_literal(w) && (w >> 30 != 3 || insn_bits(w, 26, 1))) {     /* not prfm */
		to->data = addr + (u64)n;
		to->data_size = insn_bits(w, 26, 1) ? (u8)(4u << (w >> 30)) : w >> 30 == 1 ? 8 : 4;
	}
	if ((w & 0x7f800000) == 0x52800000)      /* movz */
		to->number = (u64)insn_bits(w, 5, 16) << 16 * insn_bits(w, 21, 2);
}

static void branch(u32 w, u64 addr, struct arch_insn *to)
{
	to->flow = ARCH_BRANCH;
	to->to = addr + (u64)distance(w);
	if (is_b_cond(w)) {
		to->cond = insn_bits(w, 0, 4);
		to->flow = to->cond >= 14 ? ARCH_JUMP : ARCH_BRANCH;
	} else if (is_cbz(w)) {
		to->cond = ARCH_COND_ZERO + 4 * insn_rd(w) + 2 * (w >> 31) + insn_bits(w, 24, 1);
	} else {
		to->is_unclear = true;           /* a bit of a register: cond has no room */
	}
}

static void register_branch(u32 w, struct arch_insn *to)
{
	static const enum arch_flow flows[] = { ARCH_INDIRECT, ARCH_CALL, ARCH_RETURN };

	to->flow = flows[insn_bits(w, 21, 2)];
	to->reg = insn_rn(w);
	to->index = ARCH_NO_WORD;
	to->scale = 1;
	to->is_unclear = to->flow == ARCH_INDIRECT && w & 0x800;         /* a signed address */
}

u32 arch_insn_read(const u8 *code, size_t size, u64 addr, struct arch_insn *to)
{
	u32 w;

	*to = (struct arch_insn){ 0 };
	if (size < 4)
		return 0;
	w = insn_word(code);
	to->len = 4;
	to->probed = arch_insn_probed(code, 4);
	if (is_exclusive(w))
		to->exclusive = insn_bits(w, 22, 1) ? ARCH_EXCLUSIVE_LOAD : ARCH_EXCLUSIVE_STORE;
	to->is_padding = arch_insn_pads(code, 4);
	if (is_b(w) || is_bl(w)) {
		to->flow = is_b(w) ? ARCH_JUMP : ARCH_CALL;
		to->to = addr + (u64)distance(w);
	} else if (is_b_cond(w) || is_cbz(w) || is_tbz(w)) {
		branch(w, addr, to);
	} else if (is_register_branch(w)) {
		register_branch(w, to);
	} else if (is_stop(w) || (w & 0xfe000000) == 0xd6000000) {
		to->flow = w >> 16 && is_stop(w) ? ARCH_STOP : ARCH_ODD;
	} else {
		address(code, size, addr, to);
	}
	return 4;
}

/* [bti c] adrp x16, page; ldr x17, [x16, #n] */
bool arch_plt_slot(const u8 *code, size_t len, u64 addr, u64 *slot)
{
	struct arch_insn page;
	u32 at = len >= 4 && insn_word(code) == 0xd503245f ? 4 : 0, load;

	if (len < at + 8)
		return false;
	arch_insn_read(code + at, 4, addr + at, &page);
	load = insn_word(code + at + 4);
	if (!page.is_address || insn_rd(insn_word(code + at)) != 16 ||
	    (load & 0xffc003ff) != 0xf9400211)
		return false;
	*slot = page.data + 8 * insn_bits(load, 10, 12);
	return true;
}

/* mov x8, #139; svc #0 */
u32 arch_sigreturn(const u8 *code, size_t size)
{
	return size >= 8 && insn_word(code) == 0xd2801168 && insn_word(code + 4) == 0xd4000001 ?
	       8 : 0;
}

/* mov x0, #0; bl _exit: make_fcontext of Boost. */
u32 arch_context_ends(const u8 *code, size_t size)
{
	return size >= 8 && insn_word(code) == 0xd2800000 && is_bl(insn_word(code + 4)) ? 8 : 0;
}
