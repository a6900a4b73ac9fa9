/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * frame.h - arm64: what bpf/ knows about frames of user code.  Registers have the numbers of DWARF:
 * 0 … 30 are x0 … x30, 31 is sp.  enum leaf: bpf/stack/walk.h.
 */
#ifndef DTX_ARCH_FRAME_H
#define DTX_ARCH_FRAME_H

#define ARCH_UW_FP      ARCH_DWARF_FP
#define ARCH_UW_SP      ARCH_DWARF_SP
#define ARCH_UW_PC      32
#define ARCH_UW_N       33
#define ARCH_UW_NODE    40       /* words for a struct pt_regs or sigcontext, and more */
#define ARCH_UW_BITS    u64      /* a bit for each of these */
#define ARCH_PTREGS     34       /* words of struct user_pt_regs */
#define ARCH_PTREGS_MODE 33
#define ARCH_UW_ALL     0x1ffffffffull
#define ARCH_UW_KEPT    0x1bff80000ull   /* kept by functions: x19 … x29, sp, pc */
/* What is known of a caller that was found by a frame pointer: a frame record may lie anywhere in
 * its frame, so the stack pointer is not. */
#define ARCH_UW_BY_FP   (1ull << ARCH_UW_PC | 1ull << ARCH_UW_FP)
/* The same in HotSpot's own code that calls: its frames begin with their record
 * (MacroAssembler::enter()). */
#define ARCH_UW_BY_ENTER  (ARCH_UW_BY_FP | 1ull << ARCH_UW_SP)
#define ARCH_UW_G       28       /* Go's functions keep their runtime.g there */
#define ARCH_UW_RECORD  0        /* the caller's frame pointer and the return address, from x29 */
#define ARCH_SIGNAL_WORDS 34     /* of struct sigcontext, up to the program counter */

/* The number of a register of enum dtx_uw_reg: ARCH_DWARF_SAVED. */
static inline __attribute__((always_inline)) u32 arch_uw_number(u32 i)
{
	return i == 0 ? ARCH_UW_PC : i == 1 ? ARCH_UW_SP : i == 2 ? ARCH_UW_FP : 16 + i;
}

/* A return address without its pointer authentication code. */
static inline __attribute__((always_inline)) u64 arch_uw_code(u64 pc)
{
	return pc & ARCH_CODE_BITS;
}

/* struct user_pt_regs (asm/ptrace.h) to registers. */
static inline __attribute__((always_inline)) void arch_uw_from_ptregs(u64 *r, const u64 *pt)
{
#pragma unroll
	for (int i = 0; i < ARCH_UW_N; i++)
		r[i] = pt[i];
}

/* struct sigcontext (asm/sigcontext.h): the address of the fault, then the same. */
static inline __attribute__((always_inline)) void arch_uw_from_signal(u64 *r, const u64 *sc)
{
	arch_uw_from_ptregs(r, sc + 1);
}

/*
 * Code without a table that was interrupted before its frame was made.  0: so it is, and the return
 * address is in x30; -1: the frame is there.  paciasp and bti begin a function; ret ends it; stp
 * x29, x30, [sp, …]! makes the frame, and mov x29, sp follows.
 */
static inline __attribute__((always_inline)) s64 arch_uw_before_frame(u32 code)
{
	if (code == 0xd503233f /* paciasp */ || (code & 0xffffff3f) == 0xd503241f /* bti */ ||
	    code == 0xd65f03c0 /* ret */ || code == 0xd65f0bff /* retaa */ ||
	    (code & 0xffc07fff) == 0xa9807bfd /* stp x29, x30, [sp, #n]! */)
		return 0;
	return code == 0x910003fd /* mov x29, sp */ ? 0 : -1;
}

/* There: the return address. */
static inline __attribute__((always_inline)) bool arch_uw_unframed(const u64 *r, u64 sp, s64 words,
								   u64 *ra)
{
	*ra = r[30];
	return true;
}

#define ARCH_UW_UNFRAMED_CFA(sp, words)  (sp)

/* The eight bytes before a return address: does a call end there?  bl, blr, blraa …, or a
 * breakpoint of a probe in its place. */
static inline __attribute__((always_inline)) bool arch_uw_is_call(u64 code)
{
	u32 insn = code >> 32;

	return insn >> 26 == 0x25 || (insn & 0xfefff000) == 0xd63f0000 ||
	       (insn & 0xffe0001f) == 0xd4200000;
}

#define LEAF_STP  0xa9007bfd     /* stp x29, x30, [sp, #n] */
#define LEAF_RET  0xd65f03c0

/*
 * HotSpot: an instruction of a compiled method, `off` bytes after its begin; its frame is there
 * from `made` on: sub sp, sp, #n; stp x29, x30, [sp, #n - 16].  At its end: ldp, add sp, then a
 * poll, and ret.
 */
static inline __attribute__((always_inline)) u32 arch_leaf(const u8 *code, s64 off, s64 made)
{
	u32 here = *(const u32 *)code, before = *(const u32 *)(code - 4);

	if (off < made)
		return (here & 0xffc07fff) == LEAF_STP ? LEAF_ROOM : LEAF_BARE;
	if (here == LEAF_RET || (before & 0xff8003ff) == 0x910003ff /* add sp, sp, #n */)
		return LEAF_BARE;
	return (before & 0xffc07fff) == 0xa9407bfd /* ldp x29, x30, [sp, #n] */ ? LEAF_ROOM :
										   LEAF_MADE;
}

/* The CFA of such a frame, of `size` bytes. */
static inline __attribute__((always_inline)) u64 arch_leaf_cfa(u64 how, u64 sp, u64 size)
{
	return how == LEAF_BARE ? sp : sp + size;
}

/* Its return address: in x30, if it is not yet (or no more) in the last word of the frame. */
static inline __attribute__((always_inline)) u64 arch_leaf_return(u64 how, const u64 *r, u64 saved)
{
	return how == LEAF_MADE ? saved : r[30];
}

/* A return from a signal handler: mov x8, #139; svc #0. */
static inline __attribute__((always_inline)) bool arch_uw_is_sigreturn(u64 code)
{
	return code == 0xd4000001d2801168ull;
}

#endif
