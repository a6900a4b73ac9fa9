/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * va_list.d - what -C makes of __builtin_va_list: AAPCS64, "The va_list type".
 */
typedef struct { void *__stack, *__gr_top, *__vr_top; int __gr_offs, __vr_offs; } __builtin_va_list_t[1];
