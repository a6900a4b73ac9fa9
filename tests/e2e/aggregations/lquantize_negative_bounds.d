/* SPDX-License-Identifier: BSD-2-Clause */
/* lquantize around zero, with values below and above. */
#pragma D option quiet
BEGIN
{
	@ = lquantize(-100, -20, 20, 10); @ = lquantize(-20, -20, 20, 10); @ = lquantize(-1, -20, 20, 10);
	@ = lquantize(0, -20, 20, 10); @ = lquantize(19, -20, 20, 10); @ = lquantize(20, -20, 20, 10);
	exit(0);
}
