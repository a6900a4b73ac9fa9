/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * va_list.d - what -C makes of __builtin_va_list: x86-64 ABI, figure 3.34.
 */
typedef struct { unsigned int gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; } __builtin_va_list_t[1];
