/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.agghist
// run: -q -x agghist
/* Scalars as bars: a column for the keys, bars of their sum. */
BEGIN { @["a", 1] = sum(25); @["bb", 2] = sum(75); exit(0); }
