// SPDX-License-Identifier: BSD-2-Clause
// More steps than the factor are a multiple of it.
BEGIN { @ = llquantize(1, 10, 0, 3, 25); }
