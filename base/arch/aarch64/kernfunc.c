/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernfunc.c - arm64: functions of the kernel that need care, and ptrace(2) (see dtx/arch.h).
 */
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
#define REGSET_BYTES (ARCH_REG_MODE + 8)
#include "base/arch/regset.h"
