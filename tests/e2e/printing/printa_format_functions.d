/* SPDX-License-Identifier: BSD-2-Clause */
/* %@d of each scalar function. */
#pragma D option quiet
BEGIN
{
	@c = count(); @s = sum(-3); @mi = min(4); @ma = max(5); @av = avg(7); @av = avg(8); @sd = stddev(1); @sd = stddev(7);
	printa("%@d ", @c); printa("%@d ", @s); printa("%@d ", @mi); printa("%@d ", @ma); printa("%@d ", @av); printa("%@d\n", @sd);
	exit(0);
}
