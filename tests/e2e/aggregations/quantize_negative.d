/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* Buckets on both sides of zero. */
BEGIN
{
	@ = quantize(-5); @ = quantize(-1); @ = quantize(0); @ = quantize(3); @ = quantize(3);
	exit(0);
}
