// SPDX-License-Identifier: BSD-2-Clause
BEGIN { @ = llquantize(1, 10, 0, 3, -10); }
