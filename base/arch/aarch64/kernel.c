/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernel.c - arm64: functions of the kernel that need care, and ptrace(2) (see dtx/arch.h).
 */
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include <dtx/arch.h>

const char *const arch_patching[] = {
	"__aarch64_insn_", "__patch_", "__set_fixmap", "aarch64_insn_", "caches_clean_inval_pou",
	"dcache_clean_pou", "fixmap_", "patch_map", "patch_unmap", NULL,
};

const char *const arch_ticking[] = {
	"arch_counter_", "arch_timer_", "call_on_irq_stack", "do_interrupt_handler", "el0_irq",
	"el0_interrupt", "el1_interrupt", "generic_handle_", "gic_", "handle_percpu_", NULL,
};

/* x0 … x30, sp, pc, pstate */
static bool registers(int pid, int request, u64 *regs)
{
	struct iovec all = { regs, (ARCH_REG_MODE + 8) };

	return !ptrace(request, pid, NT_PRSTATUS, &all);
}

u64 arch_stopped_at(int pid)
{
	u64 regs[ARCH_REG_MODE / 8 + 1] = { 0 };

	return registers(pid, PTRACE_GETREGSET, regs) ? regs[ARCH_REG_IP / 8] : 0;
}

void arch_go_on_at(int pid, u64 pc)
{
	u64 regs[ARCH_REG_MODE / 8 + 1] = { 0 };

	if (!registers(pid, PTRACE_GETREGSET, regs))
		return;
	regs[ARCH_REG_IP / 8] = pc;
	registers(pid, PTRACE_SETREGSET, regs);
}
