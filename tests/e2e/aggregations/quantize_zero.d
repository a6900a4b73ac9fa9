/* SPDX-License-Identifier: BSD-2-Clause */
/* quantize of zero alone. */
#pragma D option quiet
BEGIN { @ = quantize(0); @ = quantize(0); exit(0); }
