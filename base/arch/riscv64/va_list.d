/* SPDX-License-Identifier: BSD-2-Clause */
/* va_list.d - what -C makes of __builtin_va_list: RISC-V ELF psABI, "va_list". */
typedef void *__builtin_va_list_t;
