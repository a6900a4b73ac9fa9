/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* probe.h - arm64: what bpf/ computes from the registers of a probe. */

/* An address of a program's code without its pointer authentication code.  Code above 2^48 is
 * mapped only for programs that ask for it. */
#define ARCH_CODE_BITS  0x0000ffffffffffffull

/* At the entry of a user function the return address is in x30 (of 32-bit programs: r14). */
static inline __attribute__((always_inline)) u64 arch_return_address(void *regs)
{
	u64 mode = CTX_WORD(regs, ARCH_REG_MODE);

	return ARCH_IS_32BIT(mode) ? (u32)CTX_WORD(regs, 14 * 8) & ~1u :
				     CTX_WORD(regs, ARCH_REG_LINK) & ARCH_CODE_BITS;
}

/* Of a kernel function: modules, too, lie in the upper half. */
static inline __attribute__((always_inline)) u64 arch_kernel_return(void *regs)
{
	return (s64)(CTX_WORD(regs, ARCH_REG_LINK) << 16) >> 16;
}

/* Will a jump on this condition be taken?  Arm Architecture Reference Manual, C1.2.4. */
static inline __attribute__((always_inline)) bool arch_condition(void *regs, u64 cond)
{
	u64 f = CTX_WORD(regs, ARCH_REG_FLAGS), yes, value = 0, of = cond - ARCH_COND_ZERO;
	u64 n = f >> 31 & 1, z = f >> 30 & 1, c = f >> 29 & 1, v = f >> 28 & 1;

	if (cond >= ARCH_COND_ZERO) {            /* x31 is always zero */
#pragma unroll
		for (u32 i = 0; i < 31; i++)
			if (of >> 2 == i)
				value = CTX_WORD(regs, 8 * i);
		value = of & 2 ? value : (u32)value;
		return !value ^ (of & 1);
	}
	switch (cond >> 1) {
	case 0:  yes = z; break;
	case 1:  yes = c; break;
	case 2:  yes = n; break;
	case 3:  yes = v; break;
	case 4:  yes = c & !z; break;
	case 5:  yes = n == v; break;
	case 6:  yes = n == v && !z; break;
	default: return true;                    /* always, also 15 */
	}
	return yes ^ (cond & 1);
}

/* Modules and what the kernel makes at run time lie above this: PAGE_END of 48 bits, with
 * fewer or more bits too (Documentation/arch/arm64/memory.rst). */
#define ARCH_MADE_CODE       0xffff800000000000ull
#define ARCH_TRAMPOLINE_SIZE 4096

/* What a call before `pc` calls (bl), of one whose target is in the instruction; else 0. */
static inline __attribute__((always_inline)) u64 arch_call_target(u64 pc)
{
	u32 call = 0;

	if (bpf_probe_read_kernel(&call, sizeof(call), (void *)(pc - sizeof(call))) ||
	    call >> 26 != 0x25)
		return 0;
	return pc - 4 + ((s64)(s32)(call << 6) >> 4);
}

/*
 * Is `pc` in a trampoline of BPF, which was called from before `called`?  The call (bl) is the
 * second instruction of the traced function, or the third behind bti; the trampoline begins with
 * bti, or stores the frame (stp x29, x9, [sp, #-16]!: prepare_trampoline() of the kernel).
 */
static inline __attribute__((always_inline)) bool arch_is_trampoline(u64 pc, u64 called)
{
	u32 code = 0;
	u64 begin;

	if (pc < ARCH_MADE_CODE)
		return false;
	begin = arch_call_target(called);
	if (!begin || begin > pc || pc - begin >= ARCH_TRAMPOLINE_SIZE ||
	    bpf_probe_read_kernel(&code, sizeof(code), (void *)begin))
		return false;
	return code == 0xd503245f || code == 0xd503249f || code == 0xa9bf27fd;
}

/* Functions do not jump to their trampolines here. */
static inline __attribute__((always_inline)) bool arch_jumped_trampoline(u64 pc)
{
	return false;
}
