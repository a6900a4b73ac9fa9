/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.d - x86-64: what the kernel knows of a process.
 */

/* What uprobes of the kernel take a program for: bit 0 of the flags is MM_CONTEXT_UPROBE_IA32. */
inline int __is_32bit[struct mm_struct *M] = M == NULL ? 0 :
	__has_member(mm_context_t, ia32_compat) ? M->context.ia32_compat != 0 : M->context.flags & 1;
