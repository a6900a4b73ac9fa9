/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernfunc.c - x86-64: functions of the kernel that need care, and ptrace(2) (see dtx/arch.h).
 */
#include <sys/ptrace.h>

#include <dtx/arch.h>

const char *const arch_patching[] = {
	"__smp_text_poke", "__text_poke", "do_sync_core", "flush_tlb_mm_range", "inat_", "insn_",
	"is_endbr", "smp_text_poke", "switch_ldt", "text_poke", NULL,
};

const char *const arch_ticking[] = {
	"__common_interrupt", "__sysvec_", "apic_", "kvm_", "lapic_", "native_", "read_tsc",
	"sysvec_", "tsc_", NULL,
};

u64 arch_stopped_at(int pid)
{
	return (u64)ptrace(PTRACE_PEEKUSER, pid, ARCH_REG_IP, NULL);
}

void arch_go_on_at(int pid, u64 pc)
{
	ptrace(PTRACE_POKEUSER, pid, ARCH_REG_IP, pc);
}
