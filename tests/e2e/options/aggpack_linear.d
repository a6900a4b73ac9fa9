/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x aggpack -x aggsortkey
/* Linear histograms on one line: the first label has eight columns, the blank included, as the last one has. */
BEGIN { @["abc"] = lquantize(1, 0, 10, 1); @["d"] = lquantize(20, 0, 10, 1); @n = lquantize(3, 0, 100, 10); exit(0); }
