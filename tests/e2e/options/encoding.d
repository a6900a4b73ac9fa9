/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x encoding=utf8
/* Bars of block characters, to an eighth of a column. */
BEGIN { @ = quantize(1); @ = quantize(2); @ = quantize(2); exit(0); }
