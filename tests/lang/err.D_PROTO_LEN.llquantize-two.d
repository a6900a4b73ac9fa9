// SPDX-License-Identifier: BSD-2-Clause
BEGIN { @a = llquantize(1, 10); }
