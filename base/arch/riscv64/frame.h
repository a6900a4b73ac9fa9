/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * frame.h - riscv64: what bpf/ knows about frames of user code.  Registers have the numbers of
 * DWARF: 1 … 31 are x1 … x31.  enum leaf: bpf/stack/walk.h.
 */
#ifndef DTX_ARCH_FRAME_H
#define DTX_ARCH_FRAME_H

#define ARCH_UW_FP      ARCH_DWARF_FP
#define ARCH_UW_SP      ARCH_DWARF_SP
#define ARCH_UW_PC      32
#define ARCH_UW_N       33
#define ARCH_UW_NODE    40       /* words for a struct pt_regs or sigcontext, and more */
#define ARCH_UW_BITS    u64      /* a bit for each of these */
#define ARCH_PTREGS     33       /* words of struct pt_regs, up to the status */
#define ARCH_PTREGS_MODE 32
#define ARCH_UW_ALL     0x1ffffffffull
#define ARCH_UW_KEPT    0x10ffc0304ull   /* kept by functions: sp, s0 … s11, pc */
#define ARCH_UW_BY_FP   (1ull << ARCH_UW_PC | 1ull << ARCH_UW_FP | 1ull << ARCH_UW_SP)
#define ARCH_UW_BY_ENTER  ARCH_UW_BY_FP  /* in HotSpot's own code */
#define ARCH_UW_G       0        /* no rule asks for Go's runtime.g */
#define ARCH_UW_RECORD  (-16)    /* the caller's frame pointer and the return address, from s0 */
#define ARCH_SIGNAL_WORDS 32     /* of struct sigcontext, which begins with the program counter */

/* The number of a register of enum dtx_uw_reg: ARCH_DWARF_SAVED. */
static inline __attribute__((always_inline)) u32 arch_uw_number(u32 i)
{
	return i == 0 ? ARCH_UW_PC : i == 1 ? ARCH_UW_SP : i == 2 ? ARCH_UW_FP :
	       i == 3 ? 9 : 14 + i;
}

static inline __attribute__((always_inline)) u64 arch_uw_code(u64 pc) { return pc; }

/* struct pt_regs, struct user_regs_struct: pc, x1 … x31. */
static inline __attribute__((always_inline)) void arch_uw_from_ptregs(u64 *r, const u64 *pt)
{
#pragma unroll
	for (int i = 1; i < ARCH_UW_PC; i++)
		r[i] = pt[i];
	r[ARCH_UW_PC] = pt[0];
}

static inline __attribute__((always_inline)) void arch_uw_from_signal(u64 *r, const u64 *sc)
{
	arch_uw_from_ptregs(r, sc);
}

/* The eight bytes before a return address: does a call end there?  jalr, jal or c.jalr, or a
 * breakpoint of a probe in its place. */
static inline __attribute__((always_inline)) bool arch_uw_is_call(u64 code)
{
	u32 insn = code >> 32, half = code >> 48;

	return (insn & 0x707f) == 0x67 || (insn & 0xfff) == 0xef || insn == 0x00100073 ||
	       (half & 0xf07f) == 0x9002;
}

#include "../unframed.h"

/* A return from a signal handler: li a7, 139; ecall. */
static inline __attribute__((always_inline)) bool arch_uw_is_sigreturn(u64 code)
{
	return code == 0x0000007308b00893ull;
}

#endif
