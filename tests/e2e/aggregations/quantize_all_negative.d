/* SPDX-License-Identifier: BSD-2-Clause */
/* quantize of negative values only. */
#pragma D option quiet
BEGIN { @ = quantize(-1); @ = quantize(-2); @ = quantize(-3); @ = quantize(-100); exit(0); }
