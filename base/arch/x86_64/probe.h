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
