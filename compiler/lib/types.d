/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types.d - names of types that scripts and C headers use and not every kernel's BTF has.
 */
/* What -C makes of __builtin_va_list: x86-64 ABI, figure 3.34. */
typedef struct { unsigned int gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; } __builtin_va_list_t[1];

typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef char *caddr_t;
typedef long time_t;
typedef long long hrtime_t;
typedef id_t taskid_t;
typedef id_t zoneid_t;
