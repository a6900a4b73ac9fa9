/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.agghist
// run: -q -x aggzoom
/* The largest bar fills 95 % of the width. */
BEGIN { @ = quantize(1); @ = quantize(2); @ = quantize(2); exit(0); }
