/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * x86_64.c - what is particular to x86-64: registers, calling conventions, system
 * calls.  Another architecture is another file beside this one with the same names.
 */
#ifdef __x86_64__

#include <stddef.h>

#include <asm/ptrace.h>

#include "../runtime.h"

#define REG(r) offsetof(struct pt_regs, r)

const u32 arch_arg_regs[6] = { REG(rdi), REG(rsi), REG(rdx), REG(rcx), REG(r8), REG(r9) };
const u32 arch_syscall_regs[6] = { REG(rdi), REG(rsi), REG(rdx), REG(r10), REG(r8), REG(r9) };
const u32 arch_ret_reg = REG(rax), arch_sp_reg = REG(rsp), arch_ip_reg = REG(rip);

static const char *const syscall_names[] = {
#define SYSCALL(nr, name) [nr] = #name,
#include "syscalls_x86_64.def"
#undef SYSCALL
};

const char *arch_syscall_name(u32 nr)
{
	return nr < ARRAY_SIZE(syscall_names) ? syscall_names[nr] : NULL;
}

u32 arch_syscall_max(void)
{
	return ARRAY_SIZE(syscall_names) - 1;
}

#endif
