/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.sum
/* count sum min max avg stddev, printed at the end in order of definition. */
#pragma D option quiet
BEGIN
{
	@c = count(); @c = count();
	@s = sum(10); @s = sum(-3);
	@mi = min(4); @mi = min(-9); @mi = min(7);
	@ma = max(4); @ma = max(-9); @ma = max(7);
	@av = avg(10); @av = avg(20); @av = avg(31);
	@sd = stddev(2); @sd = stddev(4); @sd = stddev(4); @sd = stddev(4);
	@sd = stddev(5); @sd = stddev(5); @sd = stddev(7); @sd = stddev(9);
	exit(0);
}
