// SPDX-License-Identifier: BSD-2-Clause
// The factor is at most 65535.
BEGIN { @ = llquantize(1, 65536, 0, 3, 10); }
