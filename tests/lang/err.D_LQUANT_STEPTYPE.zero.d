// SPDX-License-Identifier: BSD-2-Clause
BEGIN { @ = lquantize(1, 0, 10, 0); }
