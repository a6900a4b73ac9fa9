/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * linkprobe.h - what probe.h of a new architecture answers first, if a call leaves the return
 * address in a register: no condition of a jump is computed (is_unclear), and trampolines of BPF
 * are not told from other code, nor what a call calls.
 */
static inline __attribute__((always_inline)) u64 arch_return_address(void *regs)
{
	return CTX_WORD(regs, ARCH_REG_LINK);
}

static inline __attribute__((always_inline)) u64 arch_kernel_return(void *regs)
{
	return CTX_WORD(regs, ARCH_REG_LINK);
}

static inline __attribute__((always_inline)) bool arch_condition(void *regs, u64 cond)
{
	return true;
}

static inline __attribute__((always_inline)) u64 arch_call_target(u64 pc)
{
	return 0;
}

static inline __attribute__((always_inline)) bool arch_is_trampoline(u64 pc, u64 called)
{
	return false;
}

static inline __attribute__((always_inline)) bool arch_jumped_trampoline(u64 pc)
{
	return false;
}
