/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nopcall.c - does the kernel replace a nop of five bytes by a call when a probe on it has fired?
 * The call pushes the return address over what a function keeps below its stack pointer (the red
 * zone).  Does it replace a nop of ten bytes, too, by a call that moves the stack pointer first?
 *
 * Tried with a probe on a function of dtx, for the thread that tries it alone.
 * Why: docs/decisions/51-nops-that-become-calls.md
 */
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/kernel/kernel.h"

#define CALLS 3                  /* it replaces it after the first */

enum answer { UNKNOWN, NO, YES, UNTRIED };

/* The function begins with a nop: is it something else after some calls with a probe? */
static enum answer try_it(void (*f)(void))
{
	int fd = sys_probe_own((const void *)f, false);
	u8 code[ARCH_INSN_MAX];
	struct arch_insn in;

	if (fd < 0)
		return UNTRIED;
	for (u32 i = 0; i < CALLS; i++)
		f();
	memcpy(code, (const void *)f, sizeof(code));
	close(fd);
	arch_insn_read(code, sizeof(code), (u64)(uintptr_t)f, &in);
	return in.is_padding || in.flow == ARCH_STOP || in.flow == ARCH_RETURN ? NO : YES;
}

/* What cannot be tried is taken for what does harm. */
bool sys_nops_become_calls(void)
{
	static enum answer known;

	if (!known)
		known = try_it(arch_nop_place);
	return known != NO;
}

bool sys_long_nops_become_calls(void)
{
	static enum answer known;

	if (!known)
		known = try_it(arch_long_nop_place);
	return known == YES;
}
