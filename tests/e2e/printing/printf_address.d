/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.a
/* %a of an address without a symbol is its hexadecimal with 0x. */
#pragma D option quiet
BEGIN { printf("%a %a\n", 0x10, (void *)0x20); exit(0); }
