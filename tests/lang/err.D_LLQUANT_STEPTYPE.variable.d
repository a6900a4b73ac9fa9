// SPDX-License-Identifier: BSD-2-Clause
// The number of steps is a constant.
BEGIN { @ = llquantize(1, 10, 0, 3, pid); }
