// SPDX-License-Identifier: BSD-2-Clause
// All uses of an aggregation have the same step.
BEGIN { @ = lquantize(1, 0, 10, 1); @ = lquantize(1, 0, 10, 2); }
