/* SPDX-License-Identifier: BSD-2-Clause */
/* Joined aggregations of different functions. */
#pragma D option quiet
BEGIN
{
	@n[1] = count(); @n[1] = count(); @lo[1] = min(5); @lo[1] = min(2); @hi[1] = max(5); @hi[1] = max(2); @av[1] = avg(5); @av[1] = avg(2);
	printa(@n, @lo, @hi, @av);
	exit(0);
}
