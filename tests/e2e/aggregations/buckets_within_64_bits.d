/* SPDX-License-Identifier: BSD-2-Clause */
/* An increment with which a bucket would leave 64 bits is an error, and not counted: the other updates are. */
#pragma D option quiet
inline long top = 0x7fffffffffffffff;
BEGIN { @q = quantize(1, top - 5); @q = quantize(1, 5); @q = quantize(2, 1); }
BEGIN { @q = quantize(1, (unsigned)(cpu >= 0)); }
BEGIN { @q = quantize(1, top); }
BEGIN { @n = quantize(1, -5 - top / 2); @n = quantize(1, -5 - top / 2); }
BEGIN { @l[1] = lquantize(3, 0, 10, 1, top); @l[1] = lquantize(3, 0, 10, 1, -top); @l[1] = lquantize(3, 0, 10, 1, 7); }
BEGIN { @l[1] = lquantize(3, 0, 10, 1, top); }
BEGIN { @m = llquantize(3, 10, 0, 3, 10, top); @m = llquantize(3, 10, 0, 3, 10, timestamp); }
ERROR { printf("%d of %s%d\n", arg4, arg5 == top ? "top " : "", arg2); }
BEGIN { exit(0); }
