/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.agghist
// run: -q -x aggpack
/* A histogram on one line. */
BEGIN { @["x"] = quantize(1); @["x"] = quantize(4); @["y"] = quantize(4); @["y"] = quantize(4); exit(0); }
