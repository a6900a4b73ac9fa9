/* SPDX-License-Identifier: BSD-2-Clause */
/* llquantize of zero and small values around it. */
#pragma D option quiet
BEGIN { @ = llquantize(0, 2, 0, 5, 2); @ = llquantize(-9, 2, 0, 5, 2); @ = llquantize(2, 2, 0, 5, 2); exit(0); }
