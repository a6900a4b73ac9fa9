/* SPDX-License-Identifier: BSD-2-Clause */
/* Equal values in the chosen aggregation: the following ones decide. */
#pragma D option quiet
#pragma D option aggsortpos=1
BEGIN
{
	@x["a"] = sum(3); @x["b"] = sum(2); @x["c"] = sum(1);
	@y["a"] = sum(5); @y["b"] = sum(5); @y["c"] = sum(5);
	printa("%s %@d %@d\n", @x, @y);
	exit(0);
}
