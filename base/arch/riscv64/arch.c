/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.c - riscv64: registers, system calls, breakpoints, functions of the kernel, ptrace(2).
 */
#include <elf.h>

#include "base/arch/syscalls.h"

const u32 arch_syscall_regs[6] = { 80, 88, 96, 104, 112, 120 };  /* a0 … a5 */
const u32 arch_compat_regs[6] = { 80, 88, 96, 104, 112, 120 };

/* x1 … x31; the program counter has no number, and x0 is no register of its own. */
bool arch_dwarf_reg(u64 n, u32 *off)
{
	*off = (u32)(8 * n);
	return n >= 1 && n <= 31;
}

bool arch_dwarf_reg32(u64 n, u32 *off)
{
	return arch_dwarf_reg(n, off);
}

/* s0, s1, s2 … s11 */
bool arch_reg_kept(u32 off)
{
	u32 n = off / 8;

	return n == 8 || n == 9 || (n >= 18 && n <= 27);
}

u32 arch_reloc_size(u32 type)
{
	return type == R_RISCV_64 ? 8 : type == R_RISCV_32 ? 4 : 0;
}

bool arch_reloc_chooses(u32 type)
{
	return type == 58;               /* R_RISCV_IRELATIVE */
}

/* The names of the psABI, in the order of the numbers; x0 … x31. */
bool arch_user_reg(const char *name, size_t len, u32 *off, u32 *shift)
{
	static const char names[32][5] = {
		"zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2",
		"a3", "a4", "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
		"s10", "s11", "t3", "t4", "t5", "t6",
	};
	u32 n = 0, at = 1;

	*shift = 0;
	while (n < 32 && (strlen(names[n]) != len || memcmp(names[n], name, len)))
		n++;
	if (n == 32 && len == 2 && !memcmp(name, "fp", 2))
		n = 8;
	if (n == 32 && (len == 2 || (len == 3 && name[1] != '0')) && *name == 'x')
		for (n = 0; at < len && name[at] >= '0' && name[at] <= '9'; at++)
			n = n * 10 + (u32)(name[at] - '0');
	*off = 8 * n;
	return n >= 1 && n <= 31 && (at == 1 || at == len);
}

long arch_breakpoint(long word)
{
	return (long)(((u64)word & ~0xffffull) | 0x9002);        /* c.ebreak */
}

const char *const arch_patching[] = {
	"__patch_", "patch_insn_", "patch_text", "riscv_patch_", NULL,
};
const char *const arch_ticking[] = {
	"do_irq", "generic_handle_", "get_cycles", "handle_percpu_", "handle_riscv_irq",
	"riscv_clock_", "riscv_intc_", "riscv_timer_", NULL,
};

/* pc, x1 … x31 */
#define REGSET_BYTES 256
#include "base/arch/regset.h"
