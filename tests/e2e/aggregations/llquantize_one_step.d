/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.llquantize
// run: -q
/* A single step: each magnitude is one bucket. */
BEGIN
{
	@ = llquantize(1, 10, 1, 3, 1);
	@ = llquantize(10, 10, 1, 3, 1); @ = llquantize(99, 10, 1, 3, 1);
	@ = llquantize(1234, 10, 1, 3, 1); @ = llquantize(-100, 10, 1, 3, 1);
	@ = llquantize(10000, 10, 1, 3, 1);
	exit(0);
}
