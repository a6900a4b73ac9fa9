/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* Every scalar aggregation over 10, -3 and 20, in the order in which the program defines them. */
BEGIN
{
	@count = count(); @count = count(); @count = count();
	@sum = sum(10); @sum = sum(-3); @sum = sum(20);
	@min = min(10); @min = min(-3); @min = min(20);
	@max = max(10); @max = max(-3); @max = max(20);
	@avg = avg(10); @avg = avg(-3); @avg = avg(20);
	@stddev = stddev(10); @stddev = stddev(-3); @stddev = stddev(20);
	exit(0);
}
