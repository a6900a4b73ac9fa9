/* SPDX-License-Identifier: BSD-2-Clause */
// row: printa.quantize
/* Keyed histograms: the key, the histogram, an empty line; sorted by their sums. */
#pragma D option quiet
BEGIN
{
	@["large", 1] = quantize(1000);
	@["small", 2] = quantize(3); @["small", 2] = quantize(3);
	@["negative", 3] = quantize(-50);
	exit(0);
}
