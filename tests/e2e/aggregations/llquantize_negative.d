/* SPDX-License-Identifier: BSD-2-Clause */
/* llquantize mirrors negative values; the underflow row is abs() < N. */
#pragma D option quiet
BEGIN { @ = llquantize(-25, 10, 1, 2, 10); @ = llquantize(3, 10, 1, 2, 10); @ = llquantize(25, 10, 1, 2, 10); exit(0); }
