/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.avg
/* avg: sum by count, truncated toward zero, also of negative values. */
#pragma D option quiet
BEGIN
{
	@a = avg(1); @a = avg(2);
	@b = avg(-1); @b = avg(-2);
	@c = avg(-10); @c = avg(10);
	@d = avg(7);
	exit(0);
}
