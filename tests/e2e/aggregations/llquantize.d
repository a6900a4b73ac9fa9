/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.llquantize
/* llquantize: each magnitude in equal steps. */
#pragma D option quiet
BEGIN
{
	@ = llquantize(1, 10, 0, 2, 10); @ = llquantize(5, 10, 0, 2, 10); @ = llquantize(12, 10, 0, 2, 10);
	@ = llquantize(19, 10, 0, 2, 10); @ = llquantize(95, 10, 0, 2, 10); @ = llquantize(100, 10, 0, 2, 10);
	exit(0);
}
