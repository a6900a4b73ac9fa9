/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * regset.h - ptrace(2) of architectures whose general registers are a set that begins as struct
 * pt_regs does, of REGSET_BYTES.  A file of the folder includes it, once.
 */
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include <dtx/arch.h>

static bool regset(int pid, int request, u64 *regs)
{
	struct iovec all = { regs, REGSET_BYTES };

	return !ptrace(request, pid, NT_PRSTATUS, &all);
}

u64 arch_stopped_at(int pid)
{
	u64 regs[REGSET_BYTES / 8] = { 0 };

	return regset(pid, PTRACE_GETREGSET, regs) ? regs[ARCH_REG_IP / 8] : 0;
}

void arch_go_on_at(int pid, u64 pc)
{
	u64 regs[REGSET_BYTES / 8] = { 0 };

	if (!regset(pid, PTRACE_GETREGSET, regs))
		return;
	regs[ARCH_REG_IP / 8] = pc;
	regset(pid, PTRACE_SETREGSET, regs);
}
