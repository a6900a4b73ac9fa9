/* SPDX-License-Identifier: BSD-2-Clause */
/* quantize with an increment: counts grow by it. */
#pragma D option quiet
BEGIN { n = 5; @ = quantize(10, 3); @ = quantize(20, n); @ = quantize(10, 1); exit(0); }
