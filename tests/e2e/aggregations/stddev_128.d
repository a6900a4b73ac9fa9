/* SPDX-License-Identifier: BSD-2-Clause */
/* stddev keeps the sum of squares in 128 bits. */
#pragma D option quiet
BEGIN { @a = stddev(3000000000000); @a = stddev(1000000000000); @b = stddev(-4000000000); @b = stddev(4000000000); exit(0); }
