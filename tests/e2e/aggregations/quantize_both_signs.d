/* SPDX-License-Identifier: BSD-2-Clause */
/* quantize: zero, negative and positive buckets. */
#pragma D option quiet
BEGIN
{
	@ = quantize(0);
	@ = quantize(-1);
	@ = quantize(-5);
	@ = quantize(3);
	@ = quantize(3);
	exit(0);
}
