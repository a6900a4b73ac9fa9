/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.stddev
/* stddev: of the population, truncated. */
#pragma D option quiet
BEGIN
{
	@a = stddev(5);
	@b = stddev(1); @b = stddev(5);
	@c = stddev(-10); @c = stddev(10);
	@d = stddev(10); @d = stddev(20); @d = stddev(30);
	@e = stddev(-3); @e = stddev(-3);
	exit(0);
}
