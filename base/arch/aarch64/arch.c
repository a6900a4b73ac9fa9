/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.c - arm64: registers, system calls, breakpoints.
 */
#include <elf.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __aarch64__                       /* unit tests run on other machines, too */
#include <asm/ptrace.h>
#include <asm/sigcontext.h>
#endif

#include <dtx/arch.h>

#include "base/arch/syscalls.h"

const u32 arch_syscall_regs[6] = { 0, 8, 16, 24, 32, 40 };       /* x0 … x5 */
const u32 arch_compat_regs[6] = { 0, 8, 16, 24, 32, 40 };        /* r0 … r5 */

#ifdef __aarch64__
_Static_assert(ARCH_REG_SP == offsetof(struct user_pt_regs, sp) &&
		       ARCH_REG_IP == offsetof(struct user_pt_regs, pc) &&
		       ARCH_REG_MODE == offsetof(struct user_pt_regs, pstate) &&
		       ARCH_REG_FP == offsetof(struct user_pt_regs, regs[29]) &&
		       ARCH_REG_LINK == offsetof(struct user_pt_regs, regs[30]),
	       "struct user_pt_regs");
_Static_assert(ARCH_SIGNAL_SP == offsetof(struct sigcontext, sp) &&
		       ARCH_SIGNAL_IP == offsetof(struct sigcontext, pc), "struct sigcontext");
#endif

/* In the order of DWARF (DWARF for the Arm 64-bit Architecture, 4.1). */
bool arch_dwarf_reg(u64 n, u32 *off)
{
	*off = (u32)(8 * n);             /* x0 … x30, sp, pc */
	return n <= 32;
}

/* Of 32-bit programs: r0 … r14 are in x0 … x14 (DWARF for the Arm Architecture, 4.1). */
bool arch_dwarf_reg32(u64 n, u32 *off)
{
	*off = n == 15 ? ARCH_REG_IP : (u32)(8 * n);
	return n <= 15;
}

/* AAPCS64, 6.1.1 */
bool arch_reg_kept(u32 off)
{
	return off >= 19 * 8 && off <= ARCH_REG_FP;
}

u32 arch_reloc_size(u32 type)
{
	return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
}

bool arch_reloc_chooses(u32 type)
{
	return type == R_AARCH64_IRELATIVE;
}

/* x0, w0, sp, wsp, fp, lr */
bool arch_user_reg(const char *name, size_t len, u32 *off, u32 *shift)
{
	static const struct { const char *name; u32 off; } named[] = {
		{ "sp", ARCH_REG_SP }, { "wsp", ARCH_REG_SP }, { "fp", ARCH_REG_FP },
		{ "lr", ARCH_REG_LINK }, { "pc", ARCH_REG_IP },
	};
	u32 n = 0;

	*shift = 0;
	for (u32 i = 0; i < ARRAY_SIZE(named); i++)
		if (strlen(named[i].name) == len && !memcmp(named[i].name, name, len))
			return *off = named[i].off, true;
	if (len < 2 || len > 3 || (*name != 'x' && *name != 'w'))
		return false;
	for (size_t i = 1; i < len; i++) {
		if (name[i] < '0' || name[i] > '9')
			return false;
		n = n * 10 + (u32)(name[i] - '0');
	}
	*off = 8 * n;
	return n <= 30 && (len == 2 || name[1] != '0');
}

long arch_breakpoint(long word)
{
	return (long)(((u64)word & ~0xffffffffull) | 0xd4200000);        /* brk #0 */
}
