/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * past.c - x86-64: what the kernel does itself at a probe, how far a probe at the entry of a
 * function can be moved to meet such an instruction, and where probes become calls.
 * Why: docs/decisions/50-past-the-entry.md, docs/decisions/51-nops-that-become-calls.md
 */
#include <stddef.h>

#include <asm/ptrace.h>

#include "decode.h"

#define PAST_MOST  6             /* instructions in front of it */
#define PAST_BYTES 48            /* … and their bytes: less than `starts` has bits */

/*
 * Instructions that the kernel does itself: arch/x86/kernel/uprobes.c.  All kernels since the one
 * of the row do.  Not here: nops of several bytes, which Linux 6.18 does itself, and older ones do
 * not.
 *
 * Patched: programs may write over it while they run, and then the probe is gone: nops of gcc's
 * -fpatchable-function-entry, jumps of clang's XRay, calls of -mfentry.
 */
static const struct {
	u8 byte[2], mask[2];
	bool patched;
} emulated[] = {
	{ { 0x90 },       { 0xff }, true },      /* nop, 3.16: branch_setup_xol_ops() */
	{ { 0xeb },       { 0xff }, true },      /* jmp, 3.16 */
	{ { 0xe9 },       { 0xff }, true },
	{ { 0xe8 },       { 0xff }, true },      /* call, 3.16 */
	{ { 0x70 },       { 0xf0 } },            /* jumps with a condition, 3.16 */
	{ { 0x0f, 0x80 }, { 0xff, 0xf0 } },
	{ { 0x50 },       { 0xf8 } },            /* push, 4.16: push_setup_xol_ops() */
	{ { 0x41, 0x50 }, { 0xff, 0xf8 } },
};

static u32 row_of(const u8 *code)
{
	u32 i = 0;

	while (i < ARRAY_SIZE(emulated) &&
	       ((code[0] & emulated[i].mask[0]) != emulated[i].byte[0] ||
		(code[1] & emulated[i].mask[1]) != emulated[i].byte[1]))
		i++;
	return i;
}

bool arch_insn_emulated(const u8 *code)
{
	return row_of(code) < ARRAY_SIZE(emulated);
}

/* Which operand of an instruction gets its result. */
enum dest { DEST_UNKNOWN, DEST_NONE, DEST_AX, DEST_OPCODE, DEST_REG, DEST_RM };

static enum dest arithmetic(u32 op)
{
	if ((op & 7) > 5)
		return DEST_UNKNOWN;             /* of segments, or no instruction */
	if ((op & 0x38) == 0x38)
		return DEST_NONE;                /* cmp */
	return op & 4 ? DEST_AX : op & 2 ? DEST_REG : DEST_RM;
}

/* Of those that read nothing but registers and numbers, if their operand is a register. */
static enum dest dest_of(const struct insn *in)
{
	u32 op = in->op, ext = in->modrm >> 3 & 7;

	if (in->map == MAP_TWO)
		return (op & 0xf6) == 0xb6 ? DEST_REG : DEST_UNKNOWN;    /* movzx, movsx */
	if (in->map != MAP_ONE)
		return DEST_UNKNOWN;
	if (op < 0x40)
		return arithmetic(op);
	if ((op & 0xf8) == 0xb8)
		return DEST_OPCODE;              /* mov of a number */
	switch (op) {                    /* dispatch */
	case 0x63: case 0x8a: case 0x8b: case 0x8d:      /* movslq, mov, lea */
		return DEST_REG;
	case 0x88: case 0x89:
		return DEST_RM;
	case 0x84: case 0x85: case 0xa8: case 0xa9:      /* test */
		return DEST_NONE;
	case 0xf6: case 0xf7:
		return ext < 2 ? DEST_NONE : DEST_UNKNOWN;
	case 0x80: case 0x81: case 0x83:
		return ext == 7 ? DEST_NONE : DEST_RM;
	case 0xc7:
		return ext ? DEST_UNKNOWN : DEST_RM;
	default:
		return DEST_UNKNOWN;
	}
}

/* rax, r10 and r11: no function gets an argument in them, and all may change them. */
static bool is_free(u32 reg)
{
	return reg == 0 || reg == 10 || reg == 11;
}

static bool is_quiet(const struct insn *in)
{
	u32 mod = in->modrm >> 6, high_reg = (in->rex & 4) << 1, high_rm = (in->rex & 1) << 3;
	bool lea = in->map == MAP_ONE && in->op == 0x8d;

	if (in->has_modrm && (mod == 3) == lea)
		return false;                    /* memory is read or written */
	switch (dest_of(in)) {
	case DEST_UNKNOWN: return false;
	case DEST_NONE:
	case DEST_AX:      return true;
	case DEST_OPCODE:  return is_free((in->op & 7) | high_rm);
	case DEST_REG:     return is_free((in->modrm >> 3 & 7) | high_reg);
	case DEST_RM:      return is_free((in->modrm & 7) | high_rm);
	}
	return false;
}

u32 arch_past_entry(const u8 *code, size_t size, u64 *starts)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct insn in;
	u32 at = 0;

	*starts = 0;
	for (u32 i = 0; i <= PAST_MOST && at < PAST_BYTES; i++) {
		u32 len = insn_decode(&in, code + at, size - at), row;

		if (!len || size - at < ARCH_EMULATED_BYTES || !arch_insn_probed(code + at, len))
			return 0;
		row = row_of(code + at);
		if (row < ARRAY_SIZE(emulated))
			return emulated[row].patched ? 0 : at;
		if (memcmp(code + at, endbr64, sizeof(endbr64)) && !is_quiet(&in))
			return 0;
		at += len;
		*starts |= 1ull << at;
	}
	return 0;
}

static bool is_near_jump(u8 opcode)
{
	return (opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0 || opcode == 0xeb;
}

enum arch_reach arch_reach(const u8 *code, u64 addr, u64 *to)
{
	bool xbegin = code[0] == 0xc7 && code[1] == 0xf8;
	bool two = xbegin || (code[0] == 0x0f && (code[1] & 0xf0) == 0x80);
	s32 distance;

	if (is_near_jump(code[0])) {
		*to = addr + 2 + (u64)(s8)code[1];
		return ARCH_REACH_NEAR;
	}
	if ((code[0] & 0xf8) == 0x48 && code[1] == 0x8d && (code[2] & 0xc7) == 0x05) {
		memcpy(&distance, code + 3, sizeof(distance));
		*to = addr + 7 + (u64)distance;  /* lea of an address, for a jump that takes it */
		return ARCH_REACH_FAR;
	}
	if (!two && code[0] != 0xe8 && code[0] != 0xe9)
		return ARCH_REACH_NONE;
	memcpy(&distance, code + 1 + two, sizeof(distance));
	*to = addr + 5 + two + (u64)distance;
	return ARCH_REACH_FAR;
}

/* The distance is the end of a jump, and counts from there: 4 bytes, or 1. */
bool arch_may_reach(const u8 *code, u64 size, u64 addr, u64 to, u64 bytes)
{
	s32 distance;

	for (u64 at = 1; at + sizeof(distance) <= size; at++) {
		memcpy(&distance, code + at, sizeof(distance));
		if (addr + at + sizeof(distance) + (u64)(s64)distance - to < bytes)
			return true;
	}
	for (u64 at = 1; at < size; at++)
		if (is_near_jump(code[at - 1]) && addr + at + 1 + (u64)(s8)code[at] - to < bytes)
			return true;
	return false;
}

bool arch_past_keeps(u32 off)
{
	return off != offsetof(struct pt_regs, rax) && off != offsetof(struct pt_regs, r10) &&
	       off != offsetof(struct pt_regs, r11) && off != offsetof(struct pt_regs, rip) &&
	       off != offsetof(struct pt_regs, eflags);
}

/* ---- nops that become calls ---------------------------------------------------------------- */

__asm__(".pushsection .text\n"
	".p2align 4\n"
	".globl arch_nop_place\n"
	".hidden arch_nop_place\n"
	".type arch_nop_place, @function\n"
	"arch_nop_place:\n"
	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
	"ret\n"
	".size arch_nop_place, .-arch_nop_place\n"
	".popsection\n");

/* The form of ten bytes that later kernels take instead: they move the stack pointer below what a
 * function keeps there, and call. */
__asm__(".pushsection .text\n"
	".p2align 4\n"
	".globl arch_long_nop_place\n"
	".hidden arch_long_nop_place\n"
	".type arch_long_nop_place, @function\n"
	"arch_long_nop_place:\n"
	".byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n"
	"ret\n"
	".size arch_long_nop_place, .-arch_long_nop_place\n"
	".popsection\n");

u32 arch_long_nop(const u8 *code)
{
	static const u8 site[] = { 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 };

	_Static_assert(sizeof(site) <= ARCH_INSN_MAX, "bytes that callers have");
	return memcmp(code, site, sizeof(site)) ? 0 : 1;
}

/* can_optimize() in arch/x86/kernel/uprobes.c, Linux 6.18 */
bool arch_becomes_call(const u8 *code, u32 len)
{
	struct insn in;

	return len == 5 && insn_decode(&in, code, len) == len &&
	       ((in.map == MAP_ONE && in.op == 0x90) || (in.map == MAP_TWO && in.op == 0x1f));
}

/* An operand below the stack pointer. */
static bool is_below(const struct insn *in)
{
	bool from_sp = (in->modrm & 7) == 4 && (in->sib & 7) == 4 && !(in->rex & 1);

	return in->has_modrm && in->modrm >> 6 != 3 && from_sp && in->disp_bytes &&
	       in->disp[in->disp_bytes - 1] & 0x80;
}

/*
 * The System V ABI lets a function use the 128 bytes below its stack pointer until it calls another
 * one.  Compilers do so only in functions that call none; they may use another register than the
 * stack pointer to get there.
 */
bool arch_has_red_zone(const u8 *code, size_t size)
{
	bool calls = false;
	struct insn in;
	u32 len;

	for (size_t at = 0; at < size; at += len) {
		struct arch_insn what;

		len = insn_decode(&in, code + at, size - at);
		if (!len || is_below(&in))
			return true;
		arch_insn_read(code + at, size - at, 0, &what);
		calls |= what.flow == ARCH_CALL;
	}
	return !calls;
}
