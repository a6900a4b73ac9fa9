// SPDX-License-Identifier: BSD-2-Clause
// All uses of an aggregation have the same high magnitude.
BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 10, 0, 4, 10); }
