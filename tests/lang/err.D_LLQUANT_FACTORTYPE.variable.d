// SPDX-License-Identifier: BSD-2-Clause
// The factor is a constant.
BEGIN { @ = llquantize(1, pid, 0, 3, 10); }
