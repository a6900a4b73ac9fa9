/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keptnops.h - of architectures where no kernel replaces nops by calls: x86-64 alone has that.  A
 * file of the folder includes it, once.
 */
#include <dtx/arch.h>

bool arch_becomes_call(const u8 *code, u32 len) { return false; }
bool arch_has_red_zone(const u8 *code, size_t size) { return false; }
void arch_nop_place(void) {}
void arch_long_nop_place(void) {}
u32 arch_long_nop(const u8 *code) { return 0; }
