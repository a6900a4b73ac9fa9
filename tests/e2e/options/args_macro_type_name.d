/* SPDX-License-Identifier: BSD-2-Clause */
/* An operand may name a type. */
/* args: uint8_t */
#pragma D option quiet
BEGIN { printf("%d %d\n", sizeof(($1)1), ($1)0x1ff); exit(0); }
