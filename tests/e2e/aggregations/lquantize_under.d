/* SPDX-License-Identifier: BSD-2-Clause */
/* Values below the range alone: no row before the first. */
#pragma D option quiet
BEGIN { @a = lquantize(-5, 0, 100, 10); @b = lquantize(500, 0, 100, 10); exit(0); }
