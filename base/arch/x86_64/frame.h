/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * frame.h - x86-64: what bpf/ knows about frames of user code.  Registers have the numbers of
 * DWARF (x86-64 ABI, figure 3.36).  enum leaf: bpf/stack/walk.h.
 */
#ifndef DTX_ARCH_FRAME_H
#define DTX_ARCH_FRAME_H

#define ARCH_UW_FP      ARCH_DWARF_FP
#define ARCH_UW_SP      ARCH_DWARF_SP
#define ARCH_UW_PC      16
#define ARCH_UW_N       17
#define ARCH_UW_NODE    32       /* words for a struct pt_regs or sigcontext, and more */
#define ARCH_UW_BITS    u32      /* a bit for each of these */
#define ARCH_PTREGS     21       /* words of struct pt_regs */
#define ARCH_PTREGS_MODE 17      /* cs */
#define ARCH_UW_ALL     0x1ffffu
#define ARCH_UW_KEPT    0x1f0c8u /* kept by functions: bx, bp, sp, r12 … r15, pc */
/* What is known of a caller that was found by a frame pointer. */
#define ARCH_UW_BY_FP   (1u << ARCH_UW_PC | 1u << ARCH_UW_FP | 1u << ARCH_UW_SP)
#define ARCH_UW_BY_ENTER  ARCH_UW_BY_FP  /* in HotSpot's own code */
#define ARCH_UW_G       0        /* no rule asks for Go's runtime.g */
#define ARCH_UW_RECORD  0        /* the caller's frame pointer and the return address, from rbp */
#define ARCH_SIGNAL_WORDS 17     /* of struct sigcontext, up to the program counter */

/* The number of a register of enum dtx_uw_reg: ARCH_DWARF_SAVED, four bits each; RA is 16. */
#define ARCH_UW_NUMBERS 0xfedc3670ull
static inline __attribute__((always_inline)) u32 arch_uw_number(u32 i)
{
	return i ? ARCH_UW_NUMBERS >> 4 * i & 15 : ARCH_UW_PC;
}

/* An address of code without what the processor keeps in its upper bits. */
static inline __attribute__((always_inline)) u64 arch_uw_code(u64 pc)
{
	return pc;
}

/* struct pt_regs (asm/ptrace.h) to registers. */
static inline __attribute__((always_inline)) void arch_uw_from_ptregs(u64 *r, const u64 *pt)
{
	r[15] = pt[0], r[14] = pt[1], r[13] = pt[2], r[12] = pt[3];
	r[6] = pt[4], r[3] = pt[5], r[11] = pt[6], r[10] = pt[7], r[9] = pt[8], r[8] = pt[9];
	r[0] = pt[10], r[2] = pt[11], r[1] = pt[12], r[4] = pt[13], r[5] = pt[14];
	r[16] = pt[16], r[7] = pt[19];
}

/* struct sigcontext (asm/sigcontext.h): r8 … r15, di, si, bp, bx, dx, ax, cx, sp, ip. */
static inline __attribute__((always_inline)) void arch_uw_from_signal(u64 *r, const u64 *sc)
{
#pragma unroll
	for (int i = 0; i < 8; i++)
		r[8 + i] = sc[i];
	r[5] = sc[8], r[4] = sc[9], r[6] = sc[10], r[3] = sc[11], r[1] = sc[12], r[0] = sc[13];
	r[2] = sc[14], r[7] = sc[15], r[16] = sc[16];
}

/*
 * Code without a table that was interrupted before its frame was made: how many words are on the
 * stack before the return address, by the bytes at pc.  -1: the frame is there.
 */
static inline __attribute__((always_inline)) s64 arch_uw_before_frame(u32 code)
{
	if ((code & 0xff) == 0x55 /* push %rbp */ || (code & 0xff) == 0xc3 /* ret */ ||
	    code == 0xfa1e0ff3 /* endbr64 */)
		return 0;
	return (code & 0xffffff) == 0xe58948 /* mov %rsp,%rbp */ ? 1 : -1;
}

/* There: the return address.  false: it cannot be read. */
static inline __attribute__((always_inline)) bool arch_uw_unframed(const u64 *r, u64 sp, s64 words,
								   u64 *ra)
{
	return !bpf_probe_read_user(ra, 8, (void *)(sp + 8 * words));
}

#define ARCH_UW_UNFRAMED_CFA(sp, words)  ((sp) + 8 * (words) + 8)

/*
 * The eight bytes before a return address: does a call end there?  A breakpoint may be in the place
 * of its first byte.  Intel, Software Developer's Manual, volume 2, CALL: e8, or ff /2.
 */
static inline __attribute__((always_inline)) bool arch_uw_calls_to(u64 code)
{
	u32 op = code >> 24 & 0xff;

	return op == 0xe8 || op == 0xcc;
}

/* Bytes after ModRM of a call by a register or memory (ff /2); 0xff: it is none. */
static inline __attribute__((always_inline)) u32 arch_uw_call_more(u32 modrm, u32 sib)
{
	u32 mod = modrm >> 6 & 3, rm = modrm & 7, more;

	if ((modrm >> 3 & 7) != 2)
		return 0xff;
	if (mod == 3)
		return 0;
	more = mod == 1 ? 1 : mod == 2 || (!mod && rm == 5) ? 4 : 0;
	if (rm == 4)
		more += 1 + (!mod && (sib & 7) == 5 ? 4 : 0);
	return more;
}

static inline __attribute__((always_inline)) bool arch_uw_is_call(u64 code)
{
	if (arch_uw_calls_to(code))
		return true;
#pragma unroll
	for (u32 len = 2; len <= 7; len++) {
		u32 at = 8 * (8 - len), op = code >> at & 0xff;

		if ((op == 0xff || op == 0xcc) && arch_uw_call_more(code >> (at + 8) & 0xff,
				len > 2 ? code >> (at + 16) & 0xff : 0) == len - 2)
			return true;
	}
	return false;
}

/*
 * HotSpot: an instruction of a compiled method, `off` bytes after its begin; its frame is there
 * from `made` on.
 */
static inline __attribute__((always_inline)) u32 arch_leaf(const u8 *code, s64 off, s64 made)
{
	if (off < made) {
		if (code[0] == 0x48 && code[1] == 0x89 && (code[2] == 0x6c || code[2] == 0xac))
			return LEAF_ROOM;        /* sub N,%rsp; here: mov %rbp,N(%rsp) */
		return off > 0 && code[-1] == 0x55 /* push %rbp */ ? LEAF_PUSHED : LEAF_BARE;
	}
	if (code[0] == 0x5d)                     /* pop %rbp */
		return LEAF_PUSHED;
	if (code[0] == 0xc3 || (code[0] == 0x0f && code[1] == 0x87 && code[6] == 0xc3))
		return LEAF_BARE;                /* ret; or ja, which leaves the method, then ret */
	/* pop %rbp; here: cmp */
	return code[-1] == 0x5d && code[1] == 0x3b ? LEAF_BARE : LEAF_MADE;
}

/* The CFA of such a frame, of `size` bytes. */
static inline __attribute__((always_inline)) u64 arch_leaf_cfa(u64 how, u64 sp, u64 size)
{
	return sp + (how == LEAF_PUSHED ? 16 : how == LEAF_BARE ? 8 : size);
}

/* Its return address, if it is not yet (or no more) in the last word of the frame. */
static inline __attribute__((always_inline)) u64 arch_leaf_return(u64 how, const u64 *r, u64 saved)
{
	return saved;
}

/* A return from a signal handler without a table: mov $15,%eax (or %rax); syscall. */
static inline __attribute__((always_inline)) bool arch_uw_is_sigreturn(u64 code)
{
	return code == 0x0f0000000fc0c748ull ||
	       (code & 0x00ffffffffffffffull) == 0x00050f0000000fb8ull;
}

#endif
