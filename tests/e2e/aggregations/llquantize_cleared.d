/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* Without data: the row below the first magnitude and the two above it. */
BEGIN { @whole = llquantize(5, 10, 0, 2, 10); @tens = llquantize(50, 10, 1, 3, 20);
	@merged = llquantize(7, 10, 0, 3, 20); }
BEGIN { clear(@whole); clear(@tens); clear(@merged); exit(0); }
