/* SPDX-License-Identifier: BSD-2-Clause */
/* Keyed lquantize, sorted by the sum of bucket values. */
#pragma D option quiet
BEGIN { @["b"] = lquantize(90, 0, 100, 10); @["a"] = lquantize(10, 0, 100, 10); exit(0); }
