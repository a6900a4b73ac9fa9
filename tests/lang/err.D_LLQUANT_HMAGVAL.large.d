// SPDX-License-Identifier: BSD-2-Clause
// The high magnitude is at most 65535.
BEGIN { @ = llquantize(1, 10, 0, 65536, 10); }
