/* SPDX-License-Identifier: BSD-2-Clause */
/* lquantize with an increment, also a negative one. */
#pragma D option quiet
BEGIN { @ = lquantize(5, 0, 30, 10, 4); @ = lquantize(15, 0, 30, 10, -2); exit(0); }
