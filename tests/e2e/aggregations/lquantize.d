/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.lquantize
/* lquantize: under, inside, over; labels of the ends. */
#pragma D option quiet
BEGIN
{
	@ = lquantize(-5, 0, 30, 10);
	@ = lquantize(5, 0, 30, 10);
	@ = lquantize(25, 0, 30, 10);
	@ = lquantize(25, 0, 30, 10);
	@ = lquantize(30, 0, 30, 10);
	exit(0);
}
