/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.agghist
// run: -q -x agghist
/* Scalars as bars: a column for the keys, bars of their sum, to both sides when there are both signs. */
BEGIN { @["a", 1] = sum(25); @["bb", 2] = sum(75); @b[1] = sum(-30); @b[2] = sum(10); exit(0); }
