/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of both signs: two halves of twenty columns. */
#pragma D option quiet
BEGIN { @ = quantize(-1, -2); @ = quantize(1, 5); @ = quantize(4, 3); exit(0); }
