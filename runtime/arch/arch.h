/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.h - what is of one processor: registers, calling convention, system call names, the length
 * of instructions.  runtime/arch/ includes base alone.
 */
#ifndef DTX_ARCH_H
#define DTX_ARCH_H

#include <dtx/base.h>

/* ---- arch/x86_64.c: registers, calling convention, system call names ---------------------- */
struct arch_reg { const char *name; u32 off; };
extern const u32 arch_arg_regs[6];               /* offsets in struct pt_regs, function arguments */
extern const u32 arch_syscall_regs[6], arch_compat_regs[6];  /* of 64-bit and of 32-bit system calls */
extern const u32 arch_ret_reg, arch_sp_reg, arch_ip_reg;
long arch_breakpoint(long word);                 /* the word with a breakpoint at its start */
extern const u32 arch_break_size;                /* bytes the program counter is behind it */
const char *arch_syscall_name(u32 nr);           /* NULL: none */
const char *arch_compat_name(u32 nr);            /* of 32-bit programs */
/* A register by its name in assembly ("eax", "r8d", "ah"): its byte in struct pt_regs, the bits
 * below the part that is named.  false: not a general register. */
bool arch_user_reg(const char *name, size_t len, u32 *off, u32 *shift);
/* Bytes of the instruction at `code`, 0: it is none that is known. */
u32 arch_insn_len(const u8 *code, size_t size);
/* Does the kernel set probes on it?  (It must be able to run it elsewhere.) */
bool arch_insn_probed(const u8 *code, u32 len);
/* Does nothing run on behind it (return, jump, breakpoint)? */
bool arch_insn_ends(const u8 *code);
/* Another tracer's kernel probe was put there: where code is a breakpoint, or a jump to *to. */
bool arch_insn_replaced(const u8 *code, u64 addr, u64 *to);
u32 arch_syscall_max(void);

#endif
