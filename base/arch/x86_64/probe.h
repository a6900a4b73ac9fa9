/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* probe.h - x86-64: what bpf/ computes from the registers of a probe. */

/* At the entry of a user function the return address is on top of the stack, not yet in a
 * frame. */
static inline __attribute__((always_inline)) u64 arch_return_address(void *regs)
{
	u64 sp = CTX_WORD(regs, ARCH_REG_SP), mode = CTX_WORD(regs, ARCH_REG_MODE), pc = 0;

	bpf_probe_read_user(&pc, ARCH_IS_32BIT(mode) ? 4 : 8, (void *)sp);
	return pc;
}

/* The kernel's walk sees it (ARCH_ENTRY_WALK). */
static inline __attribute__((always_inline)) u64 arch_kernel_return(void *regs)
{
	return 0;
}

/* Will a jump on this condition be taken?  Flags: SDM, volume 1, 3.4.3.1. */
static inline __attribute__((always_inline)) bool arch_condition(void *regs, u64 cond)
{
	u64 f = CTX_WORD(regs, ARCH_REG_FLAGS), count = CTX_WORD(regs, ARCH_REG_COUNT), yes;
	u64 carry = f & 1, parity = f >> 2 & 1, zero = f >> 6 & 1, sign = f >> 7 & 1;
	u64 less = sign ^ (f >> 11 & 1);

	switch (cond) {
	case ARCH_COND_LOOP:     return count != 1 && !zero;
	case ARCH_COND_LOOP + 1: return count != 1 && zero;
	case ARCH_COND_LOOP + 2: return count != 1;
	case ARCH_COND_LOOP + 3: return !count;
	}
	switch (cond >> 1) {
	case 0:  yes = f >> 11 & 1; break;
	case 1:  yes = carry; break;
	case 2:  yes = zero; break;
	case 3:  yes = carry | zero; break;
	case 4:  yes = sign; break;
	case 5:  yes = parity; break;
	case 6:  yes = less; break;
	default: yes = less | zero; break;
	}
	return yes ^ (cond & 1);
}

/* Modules and what the kernel makes at run time lie above this: MODULES_VADDR of a kernel without
 * KASLR (Documentation/arch/x86/x86_64/mm.rst). */
#define ARCH_MADE_CODE       0xffffffffa0000000ull
#define ARCH_MADE_KASLR      0xffffffffc0000000ull /* with it; the kernel itself is below */
#define ARCH_TRAMPOLINE_SIZE 4096        /* PAGE_SIZE: arch_prepare_bpf_trampoline() */

/* What may be before the code proper, by its first four bytes: endbr64, and the accounting of calls
 * (sarq $5, %gs:…) of kernels that stuff the return stack buffer. */
static inline __attribute__((always_inline)) u64 arch_preamble(u64 code)
{
	switch ((u32)code) {
	case 0xfa1e0ff3: return 4;
	case 0x3cc14865: return 10;
	case 0x3dc14865: return 9;
	}
	return 0;
}

/* What a call before `pc` calls, of one whose target is in the instruction; else 0. */
static inline __attribute__((always_inline)) u64 arch_call_target(u64 pc)
{
	u64 call = 0;

	if (bpf_probe_read_kernel(&call, sizeof(call), (void *)(pc - sizeof(call))) ||
	    (call >> 24 & 0xff) != 0xe8)
		return 0;
	return pc + (s64)(s32)(call >> 32);
}

/*
 * Is `pc` in a trampoline of BPF, which was called from before `called`?  The call is the first
 * instruction of the traced function, which is aligned; the trampoline makes a frame
 * (push %rbp; mov %rsp, %rbp: arch_prepare_bpf_trampoline()), where a function that can be traced
 * has the place for that.
 */
static inline __attribute__((always_inline)) bool arch_is_trampoline(u64 pc, u64 called)
{
	u64 code = 0, begin;

	if (pc < ARCH_MADE_CODE || (pc < ARCH_MADE_KASLR && called >= ARCH_MADE_CODE) ||
	    ((called - 5) & 15 && (called - 9) & 15))
		return false;
	begin = arch_call_target(called);
	if (!begin || begin > pc || pc - begin >= ARCH_TRAMPOLINE_SIZE)
		return false;
	for (u32 i = 0; i < 3; i++) {
		if (bpf_probe_read_kernel(&code, sizeof(code), (void *)begin))
			return false;
		if ((u32)code == 0xe5894855)
			return true;
		if (!arch_preamble(code))
			return false;
		begin += arch_preamble(code);
	}
	return false;
}

/*
 * Is `pc` in a trampoline to which the function jumps (Linux 7)?  After its call of the function it
 * keeps the result (mov %rax,-8(%rbp)) and has room for a jump: five bytes of nop, or the jump.
 * After the call of a program: mov $prog,%rdi; mov %rbx,%rsi; lea, which programs do not have.
 */
static inline __attribute__((always_inline)) bool arch_jumped_trampoline(u64 pc)
{
	u64 code[2] = { 0, 0 };

	if (bpf_probe_read_kernel(code, sizeof(code), (void *)pc))
		return false;
	if ((u32)code[0] == 0xf8458948)
		return code[0] >> 32 == 0x00441f0f || (code[0] >> 32 & 0xff) == 0xe9;
	return (u16)code[0] == 0xbf48 && (code[1] >> 16 & 0xffffffffff) == 0x8d48de8948;
}
