/* SPDX-License-Identifier: BSD-2-Clause */
/* llquantize: the underflow and overflow rows. */
#pragma D option quiet
BEGIN { @a = llquantize(500, 10, 1, 2, 10); @a = llquantize(1000, 10, 1, 2, 10); @b = llquantize(12, 10, 1, 2, 10); exit(0); }
