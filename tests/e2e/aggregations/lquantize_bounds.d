/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* Linear buckets, with what is below and above them. */
BEGIN
{
	@ = lquantize(-1, 0, 30, 10); @ = lquantize(0, 0, 30, 10); @ = lquantize(9, 0, 30, 10);
	@ = lquantize(29, 0, 30, 10); @ = lquantize(30, 0, 30, 10); @ = lquantize(1000, 0, 30, 10);
	exit(0);
}
