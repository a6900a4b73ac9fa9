// SPDX-License-Identifier: BSD-2-Clause
// The bounds of lquantize() are 32-bit.
BEGIN { @ = lquantize(1, 0, 0x100000000); }
