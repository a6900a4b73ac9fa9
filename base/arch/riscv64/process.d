/* SPDX-License-Identifier: BSD-2-Clause */
/* process.d - riscv64: what the kernel knows of a process.  32-bit ones are not told. */
inline int __is_32bit[struct mm_struct *M] = M == NULL ? 0 : 0;
