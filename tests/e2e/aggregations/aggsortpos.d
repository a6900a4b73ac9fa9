/* SPDX-License-Identifier: BSD-2-Clause */
// row: sort.aggsortpos opt.aggsort
/* aggsortpos chooses the aggregation that sorts a joined printa. */
#pragma D option quiet
#pragma D option aggsortpos=1
BEGIN
{
	@x["a"] = sum(1); @x["b"] = sum(2); @x["c"] = sum(3);
	@y["a"] = sum(20); @y["b"] = sum(30); @y["c"] = sum(10);
	printa("%s %@d %@d\n", @x, @y);
	exit(0);
}
