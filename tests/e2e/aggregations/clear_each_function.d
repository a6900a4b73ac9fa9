/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.clear
/* What each function is after clear. */
#pragma D option quiet
BEGIN { @c = count(); @s = sum(3); @a = avg(4); @d = stddev(1); @d = stddev(5); @mi = min(6); @ma = max(7); }
BEGIN
{
	clear(@c); clear(@s); clear(@a); clear(@d); clear(@mi); clear(@ma);
	printa("%@d ", @c); printa("%@d ", @s); printa("%@d ", @a); printa("%@d ", @d); printa("%@d ", @mi); printa("%@d\n", @ma);
	exit(0);
}
