/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.quantize
/* quantize of positive values: each power of two has its row, one empty row at each end. */
#pragma D option quiet
BEGIN
{
	@ = quantize(1); @ = quantize(2); @ = quantize(3); @ = quantize(4); @ = quantize(7); @ = quantize(8); @ = quantize(100);
	exit(0);
}
