/* SPDX-License-Identifier: BSD-2-Clause */
/* quantize at the ends of 64 bits: there is no row beyond the last bucket. */
#pragma D option quiet
BEGIN { @a = quantize(0x7fffffffffffffff); @b = quantize(-0x7fffffffffffffff - 1); exit(0); }
