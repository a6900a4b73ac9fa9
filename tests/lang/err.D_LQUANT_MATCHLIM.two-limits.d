// SPDX-License-Identifier: BSD-2-Clause
// All uses of an aggregation have the same upper bound.
BEGIN { @ = lquantize(1, 0, 10); @ = lquantize(1, 0, 20); }
