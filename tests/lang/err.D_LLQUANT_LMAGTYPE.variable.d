// SPDX-License-Identifier: BSD-2-Clause
// The low magnitude is a constant.
BEGIN { @ = llquantize(1, 10, pid, 3, 10); }
