/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.agghist
// run: -q -x aggzoom
/* A histogram in the middle of a format has the style that the options ask for, too. */
BEGIN { @ = quantize(1); @ = quantize(2); @ = quantize(2); printa("of %@d.\n", @); exit(0); }
