// SPDX-License-Identifier: BSD-2-Clause
// A magnitude is not negative.
BEGIN { @ = llquantize(1, 10, -1, 3, 10); }
