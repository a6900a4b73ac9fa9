/* SPDX-License-Identifier: BSD-2-Clause */
/* llquantize with more steps than the factor: fractions of the first magnitude are merged. */
#pragma D option quiet
BEGIN { @ = llquantize(8, 10, 0, 2, 20); @ = llquantize(12, 10, 0, 2, 20); @ = llquantize(16, 10, 0, 2, 20); exit(0); }
