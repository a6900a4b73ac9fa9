/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.d - arm64: what the kernel knows of a process.
 */

/* Bit 0 of the flags is MMCF_AARCH32 (asm/mmu.h, from 5.11 on). */
inline int __is_32bit[struct mm_struct *M] = M == NULL ? 0 :
	__has_member(mm_context_t, flags) ? M->context.flags & 1 : 0;
