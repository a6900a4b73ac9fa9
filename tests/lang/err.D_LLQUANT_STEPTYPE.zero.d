// SPDX-License-Identifier: BSD-2-Clause
// There is at least one step.
BEGIN { @ = llquantize(1, 10, 0, 3, 0); }
