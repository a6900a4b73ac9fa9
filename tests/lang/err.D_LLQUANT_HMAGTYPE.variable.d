// SPDX-License-Identifier: BSD-2-Clause
// The high magnitude is a constant.
BEGIN { @ = llquantize(1, 10, 0, pid, 10); }
