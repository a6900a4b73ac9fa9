// SPDX-License-Identifier: BSD-2-Clause
// More buckets than the value of a map may have room for.
BEGIN { @ = llquantize(1, 60000, 0, 2, 60000); }
