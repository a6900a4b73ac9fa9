// SPDX-License-Identifier: BSD-2-Clause
// With magnitude 0 the steps divide the square of the factor.
BEGIN { @ = llquantize(1, 10, 0, 3, 30); }
