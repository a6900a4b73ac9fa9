/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.quantize
/* Histograms are in the order of their sums, also of sums that need more than 64 bits. */
#pragma D option quiet
BEGIN
{
	@q["three"] = quantize(1LL << 62, 3); @q["two"] = quantize(1LL << 62, 2); @q["less"] = quantize(-(1LL << 62), 5);
	printa("%s%@d", @q);
	exit(0);
}
