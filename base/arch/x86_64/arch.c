/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.c - x86-64: registers, system calls, breakpoints.
 */
#include <elf.h>
#include <stddef.h>

#include <asm/ptrace.h>

#include <dtx/arch.h>

#include "base/arch/syscalls.h"

#define REG(r) offsetof(struct pt_regs, r)

const u32 arch_syscall_regs[6] = { REG(rdi), REG(rsi), REG(rdx), REG(r10), REG(r8), REG(r9) };
const u32 arch_compat_regs[6] = { REG(rbx), REG(rcx), REG(rdx), REG(rsi), REG(rdi), REG(rbp) };

_Static_assert(ARCH_REG_RESULT == REG(rax) && ARCH_REG_SYSNR == REG(orig_rax) &&
		       ARCH_REG_IP == REG(rip) && ARCH_REG_MODE == REG(cs) &&
		       ARCH_REG_SP == REG(rsp) && ARCH_REG_FP == REG(rbp),
	       "struct pt_regs");

/* 64, 32, 16 and 8 bits of one register. */
static const struct {
	const char *name[4]; u32 off;
} registers[] = {
	{ { "rax", "eax", "ax", "al" }, REG(rax) },
	{ { "rbx", "ebx", "bx", "bl" }, REG(rbx) },
	{ { "rcx", "ecx", "cx", "cl" }, REG(rcx) },
	{ { "rdx", "edx", "dx", "dl" }, REG(rdx) },
	{ { "rsi", "esi", "si", "sil" }, REG(rsi) },
	{ { "rdi", "edi", "di", "dil" }, REG(rdi) },
	{ { "rbp", "ebp", "bp", "bpl" }, REG(rbp) },
	{ { "rsp", "esp", "sp", "spl" }, REG(rsp) },
	{ { "r8", "r8d", "r8w", "r8b" }, REG(r8) },
	{ { "r9", "r9d", "r9w", "r9b" }, REG(r9) },
	{ { "r10", "r10d", "r10w", "r10b" }, REG(r10) },
	{ { "r11", "r11d", "r11w", "r11b" }, REG(r11) },
	{ { "r12", "r12d", "r12w", "r12b" }, REG(r12) },
	{ { "r13", "r13d", "r13w", "r13b" }, REG(r13) },
	{ { "r14", "r14d", "r14w", "r14b" }, REG(r14) },
	{ { "r15", "r15d", "r15w", "r15b" }, REG(r15) },
	{ { "rip", "eip", "", "" }, REG(rip) },
};

/* In the order of DWARF (x86-64 ABI, figure 3.36). */
bool arch_dwarf_reg(u64 n, u32 *off)
{
	static const u32 regs[] = {
		REG(rax), REG(rdx), REG(rcx), REG(rbx), REG(rsi), REG(rdi), REG(rbp), REG(rsp),
		REG(r8), REG(r9), REG(r10), REG(r11), REG(r12), REG(r13), REG(r14), REG(r15),
		REG(rip),
	};

	if (n >= ARRAY_SIZE(regs))
		return false;
	*off = regs[n];
	return true;
}

/* Of 32-bit programs, in the order of DWARF (System V ABI, Intel386, figure 2.14). */
bool arch_dwarf_reg32(u64 n, u32 *off)
{
	static const u32 regs[] = {
		REG(rax), REG(rcx), REG(rdx), REG(rbx), REG(rsp), REG(rbp), REG(rsi), REG(rdi),
		REG(rip),
	};

	if (n >= ARRAY_SIZE(regs))
		return false;
	*off = regs[n];
	return true;
}

/* x86-64 ABI, 3.2.1 */
bool arch_reg_kept(u32 off)
{
	return off == REG(rbx) || off == REG(rbp) || (off <= REG(r12));
}

_Static_assert(REG(r15) == 0 && REG(r12) == 24, "struct pt_regs begins with r15 … r12");

/* Absolute addresses (x86-64 ABI, table 4.9). */
u32 arch_reloc_size(u32 type)
{
	return type == R_X86_64_64 ? 8 : type == R_X86_64_32 || type == R_X86_64_32S ? 4 : 0;
}

bool arch_reloc_chooses(u32 type)
{
	return type == R_X86_64_IRELATIVE;
}

static bool arch_is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && !memcmp(word, text, len);
}

bool arch_user_reg(const char *name, size_t len, u32 *off, u32 *shift)
{
	bool high = len == 2 && name[1] == 'h' && strchr("abcd", name[0]);
	char low[2] = { name[0], 'l' };

	if (high)                        /* %ah: the second byte */
		name = low;
	*shift = high ? 8 : 0;
	for (u32 i = 0; i < ARRAY_SIZE(registers); i++)
		for (u32 k = 0; k < 4; k++)
			if (arch_is_word(registers[i].name[k], name, len))
				return *off = registers[i].off, len != 0;
	return false;
}

long arch_breakpoint(long word)
{
	return (word & ~0xffl) | 0xcc;   /* int3 */
}
