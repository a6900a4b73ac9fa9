/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.min
/* min and max of negative values and of one value; they compare signed. */
#pragma D option quiet
BEGIN
{
	@a = min(-5); @a = min(3); @b = max(-5); @b = max(-3);
	@c = min(7); @d = max(-7);
	@e = max(0xffffffffffffffff); @e = max(5);
	@f = min(0xffffffffffffffff); @f = min(5);
	exit(0);
}
