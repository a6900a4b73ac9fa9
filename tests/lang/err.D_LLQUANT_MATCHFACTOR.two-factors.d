// SPDX-License-Identifier: BSD-2-Clause
// All uses of an aggregation have the same factor.
BEGIN { @ = llquantize(1, 10, 0, 3, 10); @ = llquantize(1, 100, 0, 3, 100); }
