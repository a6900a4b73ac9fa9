/* SPDX-License-Identifier: BSD-2-Clause */
/* lquantize with the default step of 1. */
#pragma D option quiet
BEGIN { @ = lquantize(0, 0, 5); @ = lquantize(3, 0, 5); @ = lquantize(3, 0, 5); @ = lquantize(4, 0, 5); exit(0); }
