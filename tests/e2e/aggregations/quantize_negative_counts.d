/* SPDX-License-Identifier: BSD-2-Clause */
/* Only negative counts: the bars stand right of the middle line, which is at the right. */
#pragma D option quiet
BEGIN { @ = quantize(1, -2); @ = quantize(4, -6); exit(0); }
