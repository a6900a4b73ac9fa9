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
